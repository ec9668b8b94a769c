import type { Environment } from '@shopscope/environment';
import type { StoreGroup } from '../domain/store-group.ts';
import type { Dependencies } from './dependencies.ts';
import type { GroupKind } from './group-kinds.ts';

/** The groups that one run visits. */
const maxGroups = 20;
const timeoutMs = 10_000;

/**
 * Deletes stores of deleted groups, at most `maxBatchSize` of each group, and the groups that have none left. The next run continues.
 *
 * Concurrency: any number of instances may run it at the same time, because each deletion is idempotent.
 */
export async function deleteHiddenStores<E extends Environment, Group extends StoreGroup>(
  { metrics, clock }: Pick<Dependencies<E>, 'metrics' | 'clock'>,
  { environment, noun, groups, members }: GroupKind<E, Group>,
  maxBatchSize: number,
): Promise<void> {
  const hidden = await groups.listHidden(maxGroups, timeoutMs);
  for (const { ref } of hidden) {
    const { deleted, isEmpty } = await members.deleteSome(ref, maxBatchSize, timeoutMs);
    metrics.storesDeleted.inc(deleted);
    if (isEmpty) await groups.deleteHidden(ref, timeoutMs);
  }
  const [oldest] = hidden;
  const ageMs = oldest ? clock.now() - oldest.deletedAt.getTime() : 0;
  metrics.oldestDeletion.set({ environment, kind: noun }, Math.max(0, ageMs) / 1_000);
}
