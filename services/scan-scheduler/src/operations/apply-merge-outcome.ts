import { type Origin, originFields } from '@shopscope/telemetry';
import { jobError } from '../domain/failure.ts';
import type { JobError } from '../domain/job.ts';
import type { ScanKey } from '../domain/scan.ts';
import type { Dependencies } from './dependencies.ts';
import { untilEnded } from './end-jobs.ts';
import { endScan, recordEnd } from './end-scan.ts';
import { recordAnswer } from './record-answer.ts';
import { returnWork } from './return-work.ts';

/** The report of profiles about the observation of a scan. */
export interface MergeResult {
  scanId: string;
  domain: string;
  /** The sequence of the observation. It is 0 if the event has none. */
  sequence: number;
  /** The sequence of the profile after the merge. It is 0 without a profile. */
  profileSequence: number;
  completedAtMs?: number;
  /** The error code if the observation was rejected. Null if it was merged. */
  rejectedBecause: string | null;
}

/**
 * Applies the reports of profiles in this order:
 *
 * - The scan is unknown, because an operator imported the observation or the database was restored -> only the domain's sequence is raised,
 *   because profiles rejects an observation with an already merged sequence. The age of the profile counts from the observation. One
 *   command does this for all such reports, so that the outcomes of an import do not delay those of scans.
 * - The profile had passed the scan's sequence, for example after an import or a restore -> the domain's sequence is raised, and the
 *   attempt is lost. A job with attempts left waits for a new scan.
 * - Another scan of this scheduler -> {@link applyMergeOutcome}, in a separate transaction.
 */
export async function applyMergeOutcomes(
  deps: Dependencies,
  merges: readonly { merge: MergeResult; origin: Origin }[],
): Promise<void> {
  const known = await deps.scans.existing(merges.map(({ merge }) => scanOf(merge)));
  const unknown = merges.filter(({ merge }) => !known.has(merge.scanId)).map(({ merge }) => merge);
  const passed = merges.filter(({ merge }) => known.has(merge.scanId) && hasPassed(merge)).map(({ merge }) => merge);
  const visits = [...unknown, ...passed].map((merge) => {
    const { domain, completedAtMs, rejectedBecause } = merge;
    const observedAt = rejectedBecause === null && completedAtMs ? new Date(completedAtMs) : undefined;
    return { domain, sequence: highestSequence(merge), observedAt };
  });
  await deps.targets.raiseAll(visits.filter(({ sequence }) => sequence > 0));
  if (unknown.length > 0) deps.logger.debug({ events: unknown.length }, 'merge outcomes without a scan were applied');
  for (const { merge, origin } of merges) {
    if (!known.has(merge.scanId)) continue;
    if (hasPassed(merge)) await returnPassed(deps, merge);
    else await applyMergeOutcome(deps, merge, origin);
  }
}

const scanOf = ({ scanId, domain }: MergeResult): ScanKey => ({ id: scanId, domain });

const highestSequence = ({ sequence, profileSequence }: MergeResult) => Math.max(sequence, profileSequence);

/** Whether the profile already had this or a higher sequence. Such a profile does not show the observation. */
const hasPassed = ({ sequence, profileSequence, rejectedBecause }: MergeResult) =>
  rejectedBecause === 'superseded' && profileSequence > 0 && profileSequence >= sequence;

/** An observation of an earlier lease changes nothing, because the current lease has a higher sequence. */
async function returnPassed(deps: Dependencies, merge: MergeResult): Promise<void> {
  await returnWork(deps, {
    scan: scanOf(merge),
    isLost: (scan) => scan.sequence === merge.sequence && (scan.state === 'leased' || scan.state === 'observed'),
    kind: 'sequence_passed',
    code: 'observation_lost',
  });
}

/**
 * Ends a scan and its jobs after profiles has merged or rejected the observation.
 *
 * - FinishLease has not arrived yet, or the observation is of an earlier lease of the scan -> the scan ends nevertheless.
 * - The scan has ended -> the event is ignored, because events arrive at least once and may arrive late.
 * - A restored database lacks the lease of the scan -> the event ends a scan that waited at the time of the backup, and raises the domain's
 *   sequence.
 */
async function applyMergeOutcome(deps: Dependencies, merge: MergeResult, origin: Origin): Promise<void> {
  const { scanId, rejectedBecause } = merge;
  const error = rejectedBecause === null ? null : jobError(rejectedBecause);
  const applied = await untilEnded(() => applyInTransaction(deps, merge, error));
  if (!applied) {
    deps.logger.debug({ scanId, ...originFields(origin) }, 'a merge outcome without a live scan was ignored');
    return;
  }
  const { scan, ended } = applied;
  const state = error ? 'failed' : 'succeeded';
  recordEnd(deps, scan, error, ended);
  const { domain, sequence } = merge;
  const fields = { scanId, domain, sequence, jobs: ended, ...originFields(origin) };
  deps.logger.info({ ...fields, code: error?.code }, `scan ${state}`);
  deps.workArrived();
}

async function applyInTransaction(deps: Dependencies, merge: MergeResult, error: JobError | null) {
  const { rejectedBecause } = merge;
  return deps.transact(async (tx) => {
    const scan = await deps.scans.find(scanOf(merge), tx);
    if ((scan?.sequence ?? 0) < merge.sequence) await deps.targets.raise(merge.domain, merge.sequence, tx);
    if (!scan || (merge.sequence || scan.sequence) === 0) return null;
    if (scan.state === 'ended') return null;
    const jobs = await endScan(deps, tx, scan, {
      error,
      jobs: { seenBySequence: merge.sequence || scan.sequence },
      leaseLost: false,
      nextDueAt: new Date(deps.clock.now()),
    });
    // This follows the end of the scan, because that end restarts the age of the profile.
    const at = new Date(deps.clock.now());
    if (!jobs.hasMore) await recordAnswer(deps, { domain: merge.domain, rejectedBecause, at }, tx);
    return { scan, ...jobs };
  });
}
