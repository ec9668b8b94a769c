import type { Environment, Tenant } from '@shopscope/environment';
import { deriveId } from '@shopscope/ids';
import type { WorkspaceEvent } from '@shopscope/proto';
import { type Delivery, lanes } from '../../domain/delivery.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { matchableOf, receives } from '../../domain/event-match.ts';
import { messageBody } from '../../domain/message.ts';
import type { Dependencies } from '../dependencies.ts';

const timeoutMs = 10_000;
/** The deliveries in memory at the same time for one batch of events. */
const maxChunkSize = 500;
const maxChunkBytes = 4 * 1024 * 1024;

/** The same event and endpoint always have the same delivery. */
export const deliveryIdOf = (environment: Environment, endpointId: string, eventId: string): string =>
  deriveId('dlv', environment, endpointId, eventId);

export function newDelivery(
  { environment, apiUrl }: Pick<Dependencies<Environment>, 'environment' | 'apiUrl'>,
  endpoint: Pick<Endpoint, 'id' | 'workspaceId'>,
  event: WorkspaceEvent,
  now: Date,
): Delivery {
  return {
    id: deliveryIdOf(environment, endpoint.id, event.id),
    workspaceId: endpoint.workspaceId,
    endpointId: endpoint.id,
    eventId: event.id,
    eventType: event.type,
    sequence: event.sequence,
    eventAt: new Date(event.createdAtMs),
    body: messageBody(event, { environment, apiUrl }),
    state: 'pending',
    attempts: [],
    tries: 0,
    dueAt: now,
    createdAt: now,
    lane: lanes.live,
    extra: null,
  };
}

/**
 * Makes the deliveries of new events.
 *
 * - An event arrives again -> its deliveries exist and stay as they are.
 * - A replay has made a delivery before its event arrives -> it is sent like one of a new event, even if the replay is canceled.
 * - The process ends -> the event arrives again. A delivery exists before its queue is ready, so none is forgotten.
 * - Bounds: {@link maxChunkSize} deliveries or {@link maxChunkBytes} at a time.
 */
export async function createDeliveries<E extends Environment>(
  deps: Dependencies<E>,
  events: readonly WorkspaceEvent[],
): Promise<void> {
  const workspaceIds = [...new Set(events.map(({ workspaceId }) => workspaceId))];
  const receiving = await deps.endpoints.listReceiving(workspaceIds, timeoutMs);
  if (receiving.length === 0) return;
  const byWorkspace = Map.groupBy(receiving, ({ workspaceId }) => workspaceId);
  let chunk: Delivery[] = [];
  let bytes = 0;
  const save = async () => {
    if (chunk.length > 0) await saveChunk(deps, chunk);
    chunk = [];
    bytes = 0;
  };
  for (const event of events) {
    const endpoints = byWorkspace.get(event.workspaceId) ?? [];
    if (endpoints.length === 0) continue;
    const matchable = matchableOf(event);
    for (const endpoint of endpoints.filter((each) => receives(each, matchable))) {
      const delivery = newDelivery(deps, endpoint, event, new Date(deps.clock.now()));
      chunk.push(delivery);
      bytes += delivery.body.length;
      if (chunk.length >= maxChunkSize || bytes >= maxChunkBytes) await save();
    }
  }
  await save();
}

async function saveChunk<E extends Environment>(deps: Dependencies<E>, chunk: readonly Delivery[]): Promise<void> {
  const { deliveries, queues, environment, clock, metrics, onDue } = deps;
  const existing = await deliveries.insert(chunk, null, timeoutMs);
  const now = new Date(clock.now());
  await deliveries.makeLive(existing, now, timeoutMs);
  await Promise.all(
    [...Map.groupBy(chunk, ({ workspaceId }) => workspaceId)].map(([workspaceId, own]) => {
      const tenant: Tenant<E> = { workspaceId, environment };
      const endpointIds = [...new Set(own.map(({ endpointId }) => endpointId))];
      return queues.announce(tenant, endpointIds, now, { maxTimeMS: timeoutMs });
    }),
  );
  metrics.created.inc({ environment }, chunk.length);
  onDue();
}
