import type { Environment } from '@shopscope/environment';
import { type DeleteSome, some } from '@shopscope/workspace-deletion';
import type { Dependencies } from './dependencies.ts';
import { cancelReplays } from './replays/end-replay.ts';

/**
 * Everything that a workspace has, in the order of its deletion. Without its queues, no attempt begins. The outbox is not included, because
 * its relay publishes and deletes every row.
 */
export const workspaceDataOf = <E extends Environment>(deps: Dependencies<E>): readonly DeleteSome<E>[] => [
  some(deps.queues),
  some(deps.endpoints),
  async (tenant) => {
    await cancelReplays(deps, tenant);
    return { deleted: 0, isEmpty: true };
  },
  some(deps.replays),
  some(deps.deliveries),
  some(deps.closings),
  (tenant, _, { maxTimeMS }) => deps.quotas.delete(tenant, { maxTimeMS }),
];
