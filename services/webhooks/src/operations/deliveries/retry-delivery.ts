import type { Environment, Tenant } from '@shopscope/environment';
import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Delivery, DeliveryState } from '../../domain/delivery.ts';
import type { Dependencies } from '../dependencies.ts';
import { deliveryRefOf, findDelivery } from './find-delivery.ts';

/** What follows the additional attempt. A pending delivery is due anyway and has no further one. */
const extras: Partial<Record<DeliveryState, Delivery['extra']>> = {
  retrying: 'then_schedule',
  succeeded: 'only',
  failed: 'only',
};
/** The state can change between the read and the write. */
const maxTries = 5;

/**
 * Makes one more attempt due now, whatever the state of the delivery. An attempt that is being made is that attempt. Throws `invalid_request`
 * for an endpoint that is not active.
 *
 * - The call or the process ends -> the delivery and its queue have both changed, or neither has.
 */
export async function retryDelivery<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  id: string,
  context: CallContext,
): Promise<Delivery> {
  const { deliveries, endpoints, queues, transact, clock, environment, onDue } = deps;
  const { deadline } = context;
  const ref = deliveryRefOf(tenant, id);
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const delivery = await findDelivery(deps, tenant, id, context);
    const { workspaceId, endpointId, state } = delivery;
    const endpoint = await endpoints.find(
      { environment, workspaceId, id: endpointId },
      { maxTimeMS: deadline.timeoutMs() },
    );
    if (!endpoint) throw invalidField('state', 'the webhook is deleted');
    if (endpoint.state !== 'active') throw invalidField('state', `the webhook is ${endpoint.state}`);
    if (state === 'delivering') return delivery;
    const now = new Date(clock.now());
    const extra = extras[state] ?? delivery.extra;
    const queued = await transact(async (tx) => {
      const changed = await deliveries.retry(ref, { state, extra, now }, tx);
      if (changed) await queues.announce(tenant, [endpointId], now, tx);
      return changed;
    }, context);
    if (!queued) continue;
    onDue();
    return queued;
  }
  throw new AppError('unavailable', 'The delivery changes too often; retry in a few seconds.');
}
