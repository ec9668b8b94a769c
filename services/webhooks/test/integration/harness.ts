import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { newId } from '@shopscope/ids';
import { connectMongo, ensureCollections } from '@shopscope/mongo';
import {
  OutboundError,
  type OutboundErrorCode,
  type OutboundRequest,
  type OutboundResponse,
} from '@shopscope/outbound-http';
import { createOutbox } from '@shopscope/outbox';
import { WebhookStateChanged, WorkspaceEvent, type WorkspaceEventType } from '@shopscope/proto';
import { mongoOptions, silentTelemetry, testNamespace } from '@shopscope/testing';
import { createDependencies } from '../../src/create-dependencies.ts';
import type { Delivery } from '../../src/domain/delivery.ts';
import { noFilters } from '../../src/domain/filters.ts';
import { createVault, type Vault } from '../../src/domain/vault.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createEndpoint } from '../../src/operations/create-endpoint.ts';
import { createDeliveries } from '../../src/operations/deliveries/create-deliveries.ts';
import { createDispatcher, type Dispatcher } from '../../src/operations/deliveries/dispatcher.ts';
import { findDelivery } from '../../src/operations/deliveries/find-delivery.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import type { EventReader } from '../../src/outbound/event-reader.ts';
import { collections, environmentCollections } from '../../src/outbound/mongo/stores.ts';

export type Live = Dependencies<'live'>;
export const live = (workspaceId: string): Tenant<'live'> => ({ workspaceId, environment: 'live' });
export const context = () => ({
  deadline: createDeadline(60_000),
  origin: { requestId: 'req_test', traceparent: '', environment: 'live' as const },
});
export const storageSecret = (id: string) => ({ id, secret: `${id}-`.padEnd(40, 'abcdefgh12345678') });

/** How a receiver answers. */
type Given = Partial<OutboundResponse> | { error: OutboundErrorCode };
export type Answer = Given | Promise<Given>;

export interface Instance {
  deps: Live;
  dispatcher: Dispatcher;
}

export type WebhooksSystem = Awaited<ReturnType<typeof startWebhooksSystem>>;

/** The operations with a real database and receivers in this process. Each call of `instance` is another process of the service. */
export async function startWebhooksSystem(label: string) {
  const namespace = testNamespace(label);
  // MongoDB deletes deliveries by its own clock.
  const clock = new ManualClock(Date.now());
  const { logger } = silentTelemetry();
  const mongo = await connectMongo({ ...mongoOptions(namespace, 'webhooks'), poolSize: 50 });
  await ensureCollections(mongo.db, collections);
  const outbox = createOutbox(mongo.db);
  const requests: (OutboundRequest & { body: string; atMs: number })[] = [];
  const system = { answer: (_: OutboundRequest): Answer => ({}), random: 0, sequence: 0 };
  const sequences = new Map<string, WorkspaceEvent[]>();
  const events: EventReader = {
    async page({ workspaceId }, { after = 0, types, limit }) {
      const own = sequences.get(workspaceId) ?? [];
      const selected = own.filter(
        ({ type, sequence }) => sequence > after && (types.length === 0 || types.includes(type)),
      );
      const page = selected.slice(0, limit);
      return { events: page, position: (selected.length > limit ? page.at(-1) : own.at(-1))?.sequence ?? after };
    },
    latest: async ({ workspaceId }) => sequences.get(workspaceId)?.at(-1),
  };
  const sender: Live['sender'] = {
    async send(request) {
      requests.push({ ...request, body: String(request.body), atMs: clock.now() });
      const answer = await system.answer(request);
      if ('error' in answer) return { error: new OutboundError(answer.error, 'of a test') };
      return { response: { status: 200, headers: {}, body: new Uint8Array(), ...answer } };
    },
    checkUrl: async (url) => (url.startsWith('https://') ? undefined : 'not_https'),
  };

  const instance = ({
    vault = createVault([storageSecret('a')]),
    replace = (deps: Live): Live => deps,
    maxAttempts = 500,
  }: {
    vault?: Vault;
    replace?(deps: Live): Live;
    maxAttempts?: number;
  } = {}): Instance => {
    const { live: created } = createDependencies({
      mongo,
      outbox,
      relay: { nudge: () => {} },
      clock,
      logger,
      metrics: createMetrics(silentTelemetry().registry, clock),
      vault,
      sender,
      events,
      apiUrl: 'https://api.example',
      random: () => system.random,
      onDue: () => {},
      onReplay: () => {},
    });
    const deps = replace(created);
    return { deps, dispatcher: createDispatcher(deps, { maxAttempts }) };
  };
  const first = instance();

  return {
    ...first,
    system,
    clock,
    db: mongo.db,
    requests,
    instance,
    newEndpoint: async (workspaceId: string, over: Record<string, unknown> = {}, deps = first.deps) => {
      const { headers = [], quota = 1_000, requestToken = '', ...members } = over;
      const base = {
        url: 'https://hooks.example/a',
        eventTypes: ['scan.completed' as WorkspaceEventType],
        description: '',
        watchlistIds: [],
        filters: noFilters,
        maxPerMinute: null,
      };
      const request = { members: { ...base, ...members }, headers, quota, requestToken } as never;
      return createEndpoint(deps, live(workspaceId), request, context());
    },
    /** An event that is in the sequence of its workspace. */
    newEvent: (workspaceId: string, over: Partial<WorkspaceEvent> = {}): WorkspaceEvent => {
      const own = sequences.get(workspaceId) ?? [];
      sequences.set(workspaceId, own);
      const event = WorkspaceEvent.fromPartial({
        workspaceId,
        id: newId('evt', clock.now()),
        sequence: own.length + 1,
        type: 'scan.completed',
        createdAtMs: clock.now(),
        data: '{"job_id":"job_1"}',
        ...over,
      });
      own.push(event);
      return event;
    },
    receive: (...received: WorkspaceEvent[]) => createDeliveries(first.deps, received),
    /** Begins what is due, waits for the attempts, and repeats until nothing is due. */
    async drain({ deps: _, dispatcher }: Instance = first): Promise<void> {
      for (let hasBegun = true; hasBegun; ) {
        hasBegun = await dispatcher.run();
        await dispatcher.settled();
      }
    },
    delivery: (workspaceId: string, id: string): Promise<Delivery> =>
      findDelivery(first.deps, live(workspaceId), id, context()),
    deliveries: (workspaceId: string) =>
      mongo.db
        .collection<{
          _id: string;
          workspaceId: string;
          state: string;
          eventId: string;
          dueAt?: Date;
          attempts: object[];
        }>('deliveries')
        .find({ workspaceId })
        .sort({ sequence: 1 })
        .toArray(),
    /** The events for the sequence, in the order of the outbox. */
    async published(): Promise<WebhookStateChanged[]> {
      const rows = await outbox.collection.find({}).sort({ sequence: 1 }).toArray();
      return rows.map(({ value }) => WebhookStateChanged.decode(value instanceof Uint8Array ? value : value.value()));
    },
    async reset(environment: Environment = 'live') {
      const prefix = environment === 'live' ? '' : 'test_';
      for (const name of [...Object.keys(environmentCollections).map((each) => prefix + each), 'outbox']) {
        await mongo.db.collection(name).deleteMany({});
      }
      requests.length = 0;
      system.answer = () => ({});
      system.random = 0;
    },
    async stop() {
      await mongo.close();
      await namespace.cleanup();
    },
  };
}

export const newWorkspaceId = () => newId('ws');
