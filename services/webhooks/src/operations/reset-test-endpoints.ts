import type { Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace, deleteAllOf } from '@shopscope/workspace-deletion';
import type { Dependencies } from './dependencies.ts';

/**
 * Deletes endpoints, deliveries and replay jobs of a workspace in the test environment.
 *
 * 1. Delete the endpoints, their queues and their quota in one transaction. The closings end deliveries that a consumer inserts meanwhile.
 * 2. Delete replay jobs and deliveries, in batches. An attempt that is being made is not recorded. No job has an event.
 *
 * - An endpoint is created after step 1 -> it keeps its queue.
 * - A batch fails, or the deadline ends -> the call rejects. A repeated call deletes the rest.
 */
export async function resetTestEndpoints(
  deps: Dependencies<'test'>,
  tenant: Tenant<'test'>,
  context: CallContext,
): Promise<void> {
  const { endpoints, quotas, closings, queues, replays, deliveries } = deps;
  // Step 1.
  await changeWorkspace(deps, tenant, context, async (tx, now) => {
    // The quota of endpoints bounds the loop.
    for (const id of await endpoints.deleteAll(tenant, tx)) {
      await queues.delete({ ...tenant, id }, tx);
      await closings.insert({ ...tenant, id }, now, tx);
    }
    await quotas.delete(tenant, tx);
  });
  // Step 2.
  await deleteAllOf([replays, deliveries], tenant, context.deadline);
}
