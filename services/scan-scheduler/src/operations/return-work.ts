import type { Deadline } from '@shopscope/async';
import { jobError } from '../domain/failure.ts';
import { maxAttempts } from '../domain/job.ts';
import type { Scan } from '../domain/scan.ts';
import { backoffMs, interruptionWaitMs, latest } from '../domain/schedule.ts';
import type { Dependencies } from './dependencies.ts';
import { endScan, recordEnd } from './end-scan.ts';

export interface LostAttempt {
  scanId: string;
  /** Whether the attempt is (still) lost, asked inside the transaction: a renewal in between wins. */
  isLost(scan: Scan): boolean;
  kind: 'lease_lost' | 'observation_lost' | 'abandoned';
  /** Closed code for the jobs, when it was the last attempt. */
  code: string;
}

/**
 * An attempt ended without an observation that counts. The work returns to the queue after a back-off while attempts
 * remain; after the last one it fails. An interruption on our side costs no attempt while the scan is young. One transaction for the scan and its jobs, conditional on the scan's lease, so that
 * of any number of instances that find the same loss one acts. Returns whether this call did.
 */
export async function returnWork(
  deps: Dependencies,
  lost: LostAttempt,
  within: { deadline?: Deadline } = {},
): Promise<boolean> {
  const returned = await deps.transact(async (tx) => {
    const scan = await deps.scans.find(lost.scanId, tx);
    if (!scan || !lost.isLost(scan)) return null;
    const nowMs = deps.clock.now();
    const interruptionMs =
      lost.kind === 'abandoned'
        ? interruptionWaitMs(lost.code, nowMs - scan.createdAt.getTime(), deps.policy)
        : undefined;
    const attemptUndone = interruptionMs !== undefined;
    const dueAt = new Date(nowMs + (interruptionMs ?? backoffMs(deps.policy, scan.attempts)));
    if (lost.kind === 'abandoned') {
      const notBefore = new Date(nowMs + deps.policy.visitIntervalMs);
      await deps.targets.endVisit(scan.domain, notBefore, tx);
    }
    if (attemptUndone || scan.attempts < maxAttempts) {
      const politeAt = await deps.targets.notBefore(scan.domain, tx);
      await deps.scans.requeue(scan, latest(dueAt, politeAt), tx, { attemptUndone });
      await deps.jobs.requeue(scan.id, tx, { attemptUndone });
      return { scan, error: null, failed: 0 };
    }
    const error = jobError(lost.code, 'abandoned');
    const jobs = { withAttempts: maxAttempts };
    const failed = await endScan(deps, tx, scan, { error, jobs, leaseLost: true, nextDueAt: dueAt });
    return { scan, error, failed };
  }, within);
  if (!returned) return false;
  const { scan, error, failed } = returned;
  deps.metrics.attemptsLost.inc({ reason: lost.kind });
  if (error) recordEnd(deps, scan, error, failed);
  const { id: scanId, domain, attempts, sequence, origin } = scan;
  const fields = { scanId, domain, attempts, sequence, scanner: scan.lease?.scannerId, requestId: origin.requestId };
  deps.logger.warn({ ...fields, kind: lost.kind, code: lost.code, failed }, 'an attempt was lost');
  deps.workArrived();
  return true;
}
