import type { Deadline } from '@shopscope/async';
import { originFields } from '@shopscope/telemetry';
import { maxBackgroundInterruptions } from '../domain/background.ts';
import { jobError } from '../domain/failure.ts';
import { maxAttempts } from '../domain/job.ts';
import type { Scan, ScanKey } from '../domain/scan.ts';
import { backoffMs, interruptionWaitMs, isUndecided, latest } from '../domain/schedule.ts';
import type { Dependencies } from './dependencies.ts';
import { untilEnded } from './end-jobs.ts';
import { endScan, recordEnd } from './end-scan.ts';

export interface LostAttempt {
  scan: ScanKey;
  /** Whether the attempt is still lost. It is called within the transaction, so that a concurrent renewal wins. */
  isLost(scan: Scan): boolean;
  kind: 'lease_lost' | 'observation_lost' | 'sequence_passed' | 'abandoned';
  /** The error code of the jobs if this was the last attempt. */
  code: string;
}

/**
 * Handles an attempt that ended without a merged observation. Returns whether this call handled it.
 *
 * - Attempts remain -> the work returns to the queue after a back-off. It was the last attempt -> the jobs fail.
 * - The profile had passed the sequence -> the work returns to the queue as a new scan. profiles has recorded the old scan and would ignore
 *   another observation of it.
 * - The cause is an interruption of this system, and the scan is young -> the attempt is not counted.
 * - A pacing target put the visit off -> the scan is parked for the target. The attempt is not counted, and the pause between visits does
 *   not apply. The same applies if the lease is lost afterwards, while the scan is young.
 * - The visit was put off because its turns allow no more requests -> the attempt is lost. A long visit is therefore not repeated for ever.
 * - The visit was put off because a lease allows no more requests -> the jobs fail at once. Another visit would take as long.
 * - An operator has excluded the target -> the jobs fail at once.
 * - The cause may be ours and only time can decide -> the attempt is not counted, at any age. expireJobs ends the jobs.
 * - The same cause, and the scan has no job -> the scan ends after some such attempts (domain/background.ts).
 * - Concurrency: one transaction for the scan and its jobs, conditional on the lease. Only one of several instances therefore handles the
 *   loss.
 */
export async function returnWork(
  deps: Dependencies,
  lost: LostAttempt,
  within: { deadline?: Deadline } = {},
): Promise<boolean> {
  const returned = await untilEnded(() => returnInTransaction(deps, lost, within));
  if (!returned) return false;
  const { scan, putOffBy, error, ended: failed } = returned;
  if (putOffBy !== undefined) {
    deps.metrics.putOff.inc({ kind: putOffBy.slice(0, putOffBy.indexOf(':')) });
    const { id: scanId, domain, origin } = scan;
    deps.logger.debug({ scanId, domain, target: putOffBy, ...originFields(origin) }, 'a visit was put off');
    return true;
  }
  if (!isAbandonedAs(lost, 'opted_out')) {
    deps.metrics.attemptsLost.inc({ reason: isUndecided(lost.code) ? 'undecided' : lost.kind });
  }
  if (error) recordEnd(deps, scan, error, failed);
  const { id: scanId, domain, attempts, sequence, origin } = scan;
  const fields = { scanId, domain, attempts, sequence, scanner: scan.lease?.scannerId, ...originFields(origin) };
  deps.logger.warn({ ...fields, kind: lost.kind, code: lost.code, failed }, 'an attempt was lost');
  deps.workArrived();
  return true;
}

async function returnInTransaction(deps: Dependencies, lost: LostAttempt, within: { deadline?: Deadline }) {
  return deps.transact(async (tx) => {
    const scan = await deps.scans.find(lost.scan, tx);
    if (!scan || !lost.isLost(scan)) return null;
    const nowMs = deps.clock.now();
    const ageMs = nowMs - scan.createdAt.getTime();
    const isPutOff = isAbandonedAs(lost, 'put_off');
    const isFinishLost = lost.kind === 'lease_lost' && ageMs < deps.policy.interruptionGraceMs;
    const putOffBy = (isPutOff || isFinishLost) && !scan.isLongVisit ? scan.putOffBy : undefined;
    const isLongVisit = isPutOff && scan.isLongVisit === true;
    if (putOffBy !== undefined) {
      await deps.leases.requeue(scan, new Date(nowMs), tx, { attemptUndone: true, parkedFor: putOffBy });
      await deps.jobs.requeue(scan, tx, { attemptUndone: true });
      return { scan, putOffBy, error: null, ...noJobs };
    }
    const interruptionMs =
      lost.kind === 'abandoned'
        ? interruptionWaitMs(lost.code, { ageMs, interruptions: scan.interruptions ?? 0 }, deps.policy)
        : undefined;
    const attemptUndone = interruptionMs !== undefined;
    const dueAt = new Date(nowMs + (interruptionMs ?? backoffMs(deps.policy, scan.attempts)));
    if (lost.kind === 'abandoned') {
      const notBefore = new Date(nowMs + deps.policy.visitIntervalMs);
      await deps.targets.endVisit(scan.domain, notBefore, tx);
    }
    const isGivenUp =
      attemptUndone &&
      (scan.interruptions ?? 0) + 1 >= maxBackgroundInterruptions &&
      (await deps.jobEnds.remainingOf(scan, tx)).count === 0;
    const mayContinue = attemptUndone ? !isGivenUp : scan.attempts < maxAttempts;
    const isOver = isAbandonedAs(lost, 'opted_out') || (isLongVisit && scan.putOffBy === undefined);
    if (!isOver && lost.kind !== 'sequence_passed' && mayContinue) {
      const nextVisitAt = (await deps.targets.notBefore([scan.domain], tx)).get(scan.domain);
      const undecidedAs = isUndecided(lost.code) ? lost.code : null;
      await deps.leases.requeue(scan, latest(dueAt, nextVisitAt), tx, { attemptUndone, undecidedAs });
      await deps.jobs.requeue(scan, tx, { attemptUndone });
      return { scan, putOffBy, error: null, ...noJobs };
    }
    const error = jobError(isLongVisit ? 'visit_too_long' : lost.code, 'abandoned');
    const jobs = { withAttempts: isOver ? 0 : maxAttempts };
    const ended = await endScan(deps, tx, scan, { error, jobs, leaseLost: true, nextDueAt: dueAt });
    return { scan, putOffBy, error, ...ended };
  }, within);
}

const noJobs = { ended: 0, hasMore: false };
const isAbandonedAs = ({ kind, code }: LostAttempt, reason: string) => kind === 'abandoned' && code === reason;
