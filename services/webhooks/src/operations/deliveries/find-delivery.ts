import { dayMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { AppError, invalidField } from '@shopscope/errors';
import { type CallContext, pageOf } from '@shopscope/grpc';
import { isId } from '@shopscope/text';
import { type Delivery, type DeliveryRef, deliveryRetentionDays } from '../../domain/delivery.ts';
import type { DeliveryFilter } from '../../outbound/mongo/deliveries.ts';
import type { Dependencies } from '../dependencies.ts';
import { endpointRefOf, noSuchEndpoint } from '../find-endpoint.ts';

export const noSuchDelivery = () => new AppError('not_found', 'The workspace has no such delivery.');

/** MongoDB deletes late, so reads leave out what is older. */
const keptSince = (nowMs: number) => new Date(nowMs - deliveryRetentionDays * dayMs);

/** Throws `not_found` for an id that no delivery can have. */
export function deliveryRefOf<E extends Environment>(
  { workspaceId, environment }: Tenant<E>,
  id: string,
): DeliveryRef<E> {
  if (!isId(id, 'dlv')) throw noSuchDelivery();
  return { environment, workspaceId, id };
}

export async function findDelivery<E extends Environment>(
  { deliveries, clock }: Pick<Dependencies<E>, 'deliveries' | 'clock'>,
  tenant: Tenant<E>,
  id: string,
  { deadline }: CallContext,
): Promise<Delivery> {
  const found = await deliveries.find(deliveryRefOf(tenant, id), keptSince(clock.now()), deadline.timeoutMs());
  if (!found) throw noSuchDelivery();
  return found;
}

/** Returns a page of deliveries, the newest first, without their bodies. The endpoint of the filter may be deleted. */
export async function listDeliveries<E extends Environment>(
  deps: Pick<Dependencies<E>, 'deliveries' | 'endpoints' | 'clock'>,
  tenant: Tenant<E>,
  { limit, ...filter }: DeliveryFilter & { limit: number },
  { deadline }: CallContext,
): Promise<{ rows: Delivery[]; hasMore: boolean }> {
  const { deliveries, endpoints, clock } = deps;
  if (filter.eventId && !isId(filter.eventId, 'evt'))
    throw invalidField('event_id', 'must be an id that begins with evt_');
  if (filter.endpointId) {
    const ref = endpointRefOf(tenant, filter.endpointId);
    const options = { maxTimeMS: deadline.timeoutMs() };
    const isKnown = (await endpoints.find(ref, options)) || (await deliveries.hasEndpoint(ref, deadline.timeoutMs()));
    if (!isKnown) throw noSuchEndpoint();
  }
  return pageOf(limit, (readLimit) =>
    deliveries.list(tenant, filter, keptSince(clock.now()), readLimit, deadline.timeoutMs()),
  );
}
