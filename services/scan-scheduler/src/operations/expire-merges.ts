import { hasPassed } from '@shopscope/kafka';
import type { Dependencies } from './dependencies.ts';
import { returnWork } from './return-work.ts';

/**
 * Returns the work of observations that were not merged to the queue, at most `maxBatchSize` per run. An update may be
 * durable and not yet consumed, so the order is the guarantee:
 * 1. The merge is overdue. 2. Store the end of profile-updates.v1 in the scan (its mark). 3. Wait until the consumer group
 * has committed up to the mark. 4. Return the work if the scan is still `observed`.
 *
 * - Kafka does not respond -> no work is returned.
 */
export async function expireMerges(deps: Dependencies, maxBatchSize: number): Promise<void> {
  const before = new Date(deps.clock.now() - deps.policy.mergeWaitMs);
  const overdue = await deps.scans.listOverdueMerges(before, maxBatchSize);
  if (overdue.length === 0) return;

  const unmarked = overdue.filter(({ mark }) => mark === null).map(({ scan }) => scan.id);
  if (unmarked.length > 0) {
    await deps.scans.markOverdueMerges(unmarked, before, await deps.progress.profileUpdates.ends());
  }
  const marked = overdue.flatMap(({ scan, mark }) => (mark ? [{ scan, mark }] : []));
  if (marked.length === 0) return;
  const consumed = await deps.progress.profileUpdates.consumed();
  for (const { scan: seen, mark } of marked) {
    if (!hasPassed(consumed, mark)) continue;
    await returnWork(deps, {
      scanId: seen.id,
      isLost: (scan) => scan.state === 'observed' && scan.sequence === seen.sequence,
      kind: 'observation_lost',
      code: 'observation_lost',
    });
  }
}
