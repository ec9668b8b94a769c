import { hasPassed } from '@shopscope/kafka';
import type { Scan } from '../domain/scan.ts';
import type { OverdueMerge } from '../outbound/mongo/overdue-merges.ts';
import type { Dependencies } from './dependencies.ts';
import { returnWork } from './return-work.ts';

/**
 * Returns the work of observations that were not merged to the queue, at most `maxBatchSize` per run. The observation is durable, so
 * profiles may only be late. The order of the steps prevents an early return:
 *
 * 1. The merge is overdue.
 * 2. Store the end of observations.v1 in the scan.
 * 3. Wait until the group of profiles has committed up to that end.
 * 4. Wait for the update again, because the outbox of profiles publishes it after the commit.
 * 5. Store the end of profile-updates.v1 in the scan.
 * 6. Wait until this service's group has committed up to that end.
 * 7. Return the work if the scan is still `observed`.
 *
 * - profiles is unavailable or behind, for any time -> no work is returned.
 * - profiles has dead-lettered the observation -> the work is returned.
 * - Kafka does not respond -> no work is returned.
 */
export async function expireMerges(deps: Dependencies, maxBatchSize: number): Promise<void> {
  const at = new Date(deps.clock.now());
  const before = new Date(at.getTime() - deps.policy.mergeWaitMs);
  // Step 1: the overdue merges.
  const overdue = await deps.overdueMerges.list(before, maxBatchSize);
  if (overdue.length === 0) return;
  await followObservations(deps, overdue, before, at);
  await followUpdates(deps, overdue, before);
}

async function followObservations(deps: Dependencies, overdue: OverdueMerge[], before: Date, at: Date): Promise<void> {
  const { observations } = deps.progress;
  const unread = overdue.filter(({ observationReadAt }) => observationReadAt === null);
  // Step 2: the ends of observations.v1.
  const unmarked = unread.filter(({ observationMark }) => observationMark === null);
  if (unmarked.length > 0)
    await deps.overdueMerges.markObservations(scansOf(unmarked), before, await observations.ends());
  if (unread.length === unmarked.length) return;
  // Step 3: the wait for the group of profiles. A later run reads again.
  const consumed = await observations.consumed();
  const read = unread.filter(({ observationMark: mark }) => mark && hasPassed(consumed, mark));
  if (read.length > 0) await deps.overdueMerges.markObservationsRead(scansOf(read), before, at);
}

async function followUpdates(deps: Dependencies, overdue: OverdueMerge[], readBefore: Date): Promise<void> {
  const { profileUpdates } = deps.progress;
  // Step 4: the wait for the update.
  const late = overdue.filter(({ observationReadAt: readAt }) => readAt !== null && readAt <= readBefore);
  // Step 5: the ends of profile-updates.v1.
  const unmarked = late.filter(({ mergeMark }) => mergeMark === null);
  if (unmarked.length > 0) {
    await deps.overdueMerges.markUpdates(scansOf(unmarked), readBefore, await profileUpdates.ends());
  }
  if (late.length === unmarked.length) return;
  // Step 6: the wait for this service's group. A later run reads again.
  const consumed = await profileUpdates.consumed();
  for (const { scan: seen, mergeMark: mark } of late) {
    if (!mark || !hasPassed(consumed, mark)) continue;
    // Step 7: the return of the work.
    await returnWork(deps, {
      scan: seen,
      isLost: (scan) => scan.state === 'observed' && scan.sequence === seen.sequence,
      kind: 'observation_lost',
      code: 'observation_lost',
    });
  }
}

const scansOf = (overdue: readonly OverdueMerge[]): Scan[] => overdue.map(({ scan }) => scan);
