import type { Environment } from '@shopscope/environment';
import { deriveId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import type { WebhookStateChanged } from '@shopscope/proto';
import { type DisabledReason, disabledReasons, type Endpoint, type EndpointRef } from '../../domain/endpoint.ts';
import type { Settlement } from '../../outbound/mongo/deliveries.ts';
import type { Dependencies } from '../dependencies.ts';

/** Disables an endpoint and tells its workspace. The caller or the timer ends its deliveries. One that is disabled or deleted stays so. */
export async function disableEndpoint<E extends Environment>(
  deps: Dependencies<E>,
  ref: EndpointRef<E>,
  reason: DisabledReason,
): Promise<void> {
  await deps.transact(async (tx) => {
    const endpoint = await deps.endpoints.find(ref, tx);
    if (endpoint && endpoint.state !== 'disabled') await disable(deps, ref, endpoint, reason, tx);
  });
}

/**
 * Disables an endpoint that answered 410, and records the attempt in the same transaction: afterwards the timer may end the delivery. Returns
 * false, without an effect, for an endpoint that is disabled or deleted, or has another URL meanwhile.
 */
export async function disableGoneEndpoint<E extends Environment>(
  deps: Dependencies<E>,
  ref: EndpointRef<E>,
  { url, settlement }: { url: string; settlement: Settlement },
): Promise<boolean> {
  return deps.transact(async (tx) => {
    const endpoint = await deps.endpoints.find(ref, tx);
    if (!endpoint || endpoint.state === 'disabled' || endpoint.url !== url) return false;
    await disable(deps, ref, endpoint, 'gone', tx);
    await deps.deliveries.settle([settlement], tx);
    return true;
  });
}

async function disable<E extends Environment>(
  { endpoints, queues, closings, clock, publish }: Dependencies<E>,
  ref: EndpointRef<E>,
  endpoint: Endpoint,
  reason: DisabledReason,
  tx: Tx,
): Promise<void> {
  const now = new Date(clock.now());
  await queues.set(ref, { state: 'disabled' }, now, tx);
  await endpoints.update(ref, { state: 'disabled', disabledReason: reason, updatedAt: now }, tx);
  await closings.insert(ref, now, tx);
  await publish(tx, [stateEvent(ref, endpoint, { type: 'webhook.disabled', at: now, reason })]);
}

/** Tells the workspace once about the failures of an endpoint. */
export async function tellFailing<E extends Environment>(deps: Dependencies<E>, ref: EndpointRef<E>): Promise<void> {
  const { endpoints, queues, transact, clock, publish } = deps;
  await transact(async (tx) => {
    if (!(await queues.tell(ref, tx))) return;
    const endpoint = await endpoints.find(ref, tx);
    if (!endpoint) return;
    const at = new Date(clock.now());
    await publish(tx, [stateEvent(ref, endpoint, { type: 'webhook.failing', at, reason: null })]);
  });
}

function stateEvent<E extends Environment>(
  { environment, workspaceId, id }: EndpointRef<E>,
  { url }: Endpoint,
  { type, at, reason }: { type: string; at: Date; reason: DisabledReason | null },
): WebhookStateChanged {
  const sentence = reason && { reason: disabledReasons[reason] };
  return {
    workspaceId,
    eventId: deriveId('evt', type, environment, workspaceId, id, String(at.getTime())),
    type,
    related: { type: 'webhook', id, path: `/v1/webhooks/${id}` },
    data: JSON.stringify({ webhook_id: id, url, ...sentence }),
    atMs: at.getTime(),
  };
}
