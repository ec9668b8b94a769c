import type { Environment } from '@shopscope/environment';
import type { Dependencies } from './dependencies.ts';

/** The lists that one run visits. */
const maxLists = 20;
const timeoutMs = 10_000;

/**
 * Deletes stores of deleted lists, at most `maxBatchSize` of each list, and the lists that have none left. The next run continues.
 *
 * Concurrency: any number of instances may run it at the same time, because each deletion is idempotent.
 */
export async function deleteHiddenStores<E extends Environment>(
  deps: Pick<Dependencies<E>, 'lists' | 'listMembers' | 'metrics' | 'clock'>,
  maxBatchSize: number,
): Promise<void> {
  const hidden = await deps.lists.listHidden(maxLists, timeoutMs);
  for (const { ref } of hidden) {
    const { deleted, isEmpty } = await deps.listMembers.deleteSome(ref, maxBatchSize, timeoutMs);
    deps.metrics.storesDeleted.inc(deleted);
    if (isEmpty) await deps.lists.deleteHidden(ref, timeoutMs);
  }
  const [oldest] = hidden;
  const ageMs = oldest ? deps.clock.now() - oldest.deletedAt.getTime() : 0;
  deps.metrics.oldestDeletion.set({ environment: deps.lists.environment }, Math.max(0, ageMs) / 1_000);
}
