import type { Tx } from '@shopscope/mongo';
import type { JobError } from '../domain/job.ts';
import type { Scan } from '../domain/scan.ts';
import { latest } from '../domain/schedule.ts';
import type { EndingJobs } from '../outbound/mongo/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import { insertScan } from './new-scan.ts';

export interface ScanEnd {
  /** null when the scan succeeded. */
  error: JobError | null;
  /** The jobs that end with it; the others wait for a scan of their own. */
  jobs: EndingJobs;
  leaseLost: boolean;
  /** For what remains. */
  nextDueAt: Date;
}

/**
 * Ends a physical scan and the jobs that it decides, in the caller's transaction. Jobs that it does not decide (they
 * joined too late for its observation, or have attempts left) move on to a new scan of the domain, which waits for the
 * old lease to run out. Each move on is bounded by the job's attempts and by growing sequences, so every job ends.
 * Returns how many jobs ended; {@link recordEnd} counts them once the transaction is committed.
 */
export async function endScan(deps: Dependencies, tx: Tx, scan: Scan, end: ScanEnd): Promise<number> {
  const at = new Date(deps.clock.now());
  const state = end.error ? 'failed' : 'succeeded';
  if (!(await deps.scans.end(scan, { state, leaseLost: end.leaseLost }, at, tx))) return 0;
  const ended = await deps.jobs.end(scan.id, end.jobs, state, end.error, at, tx);
  const left = await deps.jobs.leftOn(scan.id, tx);
  if (left.count > 0) {
    const leaseEndsAt = scan.state === 'leased' && !end.leaseLost ? scan.lease?.expiresAt : null;
    const next = await insertScan(deps, tx, {
      domain: scan.domain,
      origin: scan.origin,
      attempts: left.attempts,
      dueAt: latest(end.nextDueAt, leaseEndsAt),
    });
    await deps.jobs.moveOn(scan.id, next.id, tx);
  }
  return ended;
}

export function recordEnd(deps: Dependencies, scan: Scan, error: JobError | null, jobs: number): void {
  deps.metrics.jobsEnded.inc({ state: error ? 'failed' : 'succeeded', code: error?.code ?? '' }, jobs);
  deps.metrics.attempts.observe(scan.attempts);
}
