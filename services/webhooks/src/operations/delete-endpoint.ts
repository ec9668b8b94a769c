import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import { endDeliveries } from './deliveries/end-deliveries.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointRefOf, noSuchEndpoint } from './find-endpoint.ts';
import { cancelReplays } from './replays/end-replay.ts';

/** Deletes an endpoint. No attempt begins afterwards, because its queue is gone. Its deliveries end and stay readable. */
export async function deleteEndpoint<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  id: string,
  context: CallContext,
): Promise<void> {
  const ref = endpointRefOf(tenant, id);
  await changeWorkspace(deps, tenant, context, async (tx, now) => {
    if (!(await deps.endpoints.delete(ref, tx))) throw noSuchEndpoint();
    await deps.queues.delete(ref, tx);
    await deps.quotas.release(tenant, { webhooks: 1 }, tx);
    await deps.closings.insert(ref, now, tx);
  });
  await cancelReplays(deps, tenant, ref);
  await endDeliveries(deps, ref, context.deadline);
}
