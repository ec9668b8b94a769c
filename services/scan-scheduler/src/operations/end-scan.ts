import type { Tx } from '@shopscope/mongo';
import { backgroundSourceOf } from '../domain/background.ts';
import type { JobError } from '../domain/job.ts';
import { failurePauseMs } from '../domain/refresh.ts';
import type { Scan } from '../domain/scan.ts';
import { latest } from '../domain/schedule.ts';
import type { EndingJobs } from '../outbound/mongo/job-ends.ts';
import type { Dependencies } from './dependencies.ts';
import { endJobs, type JobsEnded } from './end-jobs.ts';
import { insertScans } from './new-scan.ts';

export interface ScanEnd {
  /** Null if the scan succeeded. */
  error: JobError | null;
  /** The jobs that end with the scan. The others move to a new scan. */
  jobs: EndingJobs;
  leaseLost: boolean;
  /** The earliest start of the new scan. */
  nextDueAt: Date;
}

/**
 * Ends a scan and its selected jobs, in the caller's transaction; {@link recordEnd} counts them after the commit.
 *
 * - The scan has more jobs than one transaction may end -> some jobs end, and the scan does not. The caller repeats its transaction
 *   ({@link untilEnded}).
 * - Other jobs (which joined too late for the observation, or have attempts left) move to a new scan of the domain. It is not due before
 *   the old lease expires.
 * - Bound: a job's attempts and the growing sequences limit its moves. Every job therefore ends.
 */
export async function endScan(deps: Dependencies, tx: Tx, scan: Scan, end: ScanEnd): Promise<JobsEnded> {
  const at = new Date(deps.clock.now());
  const jobs = await endJobs(deps, tx, scan, { which: end.jobs, error: end.error, at });
  if (jobs.hasMore) return jobs;
  const outcome = end.error ? 'failed' : 'succeeded';
  if (!(await deps.scans.end(scan, { outcome, leaseLost: end.leaseLost }, at, tx))) {
    throw new Error('the scan changed within its transaction');
  }
  const { refresh } = deps.policy;
  if (refresh && end.error) {
    await deps.targets.countFailure(scan.domain, at, (failures) => failurePauseMs(refresh, failures), tx);
  } else if (refresh) await deps.targets.clearFailures(scan.domain, tx);
  const remaining = await deps.jobEnds.remainingOf(scan, tx);
  if (remaining.count > 0) {
    const leaseEndsAt = scan.state === 'leased' && !end.leaseLost ? scan.lease?.expiresAt : null;
    const { domain, origin } = scan;
    const dueAt = latest(end.nextDueAt, leaseEndsAt);
    const { attempts, workspaceIds } = remaining;
    const [next] = await insertScans(deps, tx, [{ domain, origin, workspaceIds, attempts, dueAt }]);
    await deps.jobEnds.moveTo(scan, next.id, tx);
  }
  return jobs;
}

export function recordEnd(deps: Dependencies, scan: Scan, error: JobError | null, jobs: number): void {
  deps.metrics.jobsEnded.inc({ state: error ? 'failed' : 'succeeded', code: error?.code ?? '' }, jobs);
  deps.metrics.attempts.observe(scan.attempts);
  const source = backgroundSourceOf(scan.place);
  if (source) deps.metrics.backgroundScans.inc({ source, outcome: error ? 'failed' : 'succeeded' });
}
