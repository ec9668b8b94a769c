import type { Environment } from '@shopscope/environment';
import type { StoreGroup } from '../domain/store-group.ts';
import type { Dependencies } from './dependencies.ts';
import type { GroupKind } from './group-kinds.ts';

/** The groups that one run visits. */
const maxGroups = 20;
const timeoutMs = 10_000;

/**
 * Deletes stores of deleted groups, at most `maxPerRun` in batches of `maxBatchSize`, and the groups that have none left. The next run
 * continues. Every group has its turn, so that a large one does not delay the others.
 *
 * Concurrency: any number of instances may run it at the same time, because each deletion is idempotent.
 */
export async function deleteHiddenStores<E extends Environment, Group extends StoreGroup>(
  { metrics }: Pick<Dependencies<E>, 'metrics'>,
  { environment, noun, groups, members }: GroupKind<E, Group>,
  { maxBatchSize, maxPerRun }: { maxBatchSize: number; maxPerRun: number },
): Promise<void> {
  const hidden = await groups.listHidden(maxGroups, timeoutMs);
  let left = maxPerRun;
  for (let waiting = hidden; waiting.length > 0 && left > 0; ) {
    const remaining: typeof waiting = [];
    for (const group of waiting) {
      const limit = Math.min(maxBatchSize, left);
      if (limit === 0) break;
      const { deleted, isEmpty } = await members.deleteSome(group.ref, limit, timeoutMs);
      metrics.storesDeleted.inc({ environment }, deleted);
      left -= deleted;
      if (isEmpty) await groups.deleteHidden(group.ref, timeoutMs);
      // Another instance deletes the same stores.
      else if (deleted > 0) remaining.push(group);
    }
    waiting = remaining;
  }
  metrics.oldestDeletion({ environment, kind: noun }, hidden[0]?.deletedAt);
}
