import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { connectMongo, createTransact, ensureCollections, type Mongo, type Transact } from '@shopscope/mongo';
import { createOutbox, type Outbox } from '@shopscope/outbox';
import { type WorkspaceEvent, workspaceEvent } from '@shopscope/proto';
import { mongoOptions, silentTelemetry, type TestNamespace } from '@shopscope/testing';
import { createEventParts } from '../../src/create-event-parts.ts';
import type { NewEvent } from '../../src/domain/event.ts';
import { appendEvents } from '../../src/operations/append-events.ts';
import type { EventDependencies, FanOutDependencies } from '../../src/operations/event-dependencies.ts';
import { type EventQuery, listEvents } from '../../src/operations/list-events.ts';
import { collections, createStores, type Stores } from '../../src/outbound/mongo/stores.ts';

export const origin = { requestId: 'req_test', traceparent: '', environment: 'live' } as const;
export const live = (workspaceId: string): Tenant<'live'> => ({ workspaceId, environment: 'live' });

/** An event of the fact `fact`. */
export function eventOf<E extends Environment>(
  tenant: Tenant<E>,
  fact: string,
  more: Partial<Pick<NewEvent<E>, 'type' | 'watchlistIds' | 'data'>> = {},
): NewEvent<E> {
  return {
    tenant,
    id: `evt_${fact}`,
    type: 'scan.completed',
    watchlistIds: [],
    related: null,
    data: JSON.stringify({ fact }),
    ...more,
  };
}

type EventStores<E extends Environment> = Pick<
  Stores<E>,
  'deletedWorkspaces' | 'events' | 'sequences' | 'watchlists' | 'watchers' | 'fanOuts'
>;
export interface Replacements<E extends Environment> {
  stores?(stores: EventStores<E>): EventStores<E>;
  transact?(transact: Transact): Transact;
  outbox?(outbox: Outbox): Pick<Outbox, 'appendMany'>;
}

/** The members of a stored event that tests read. */
interface StoredEvent {
  _id: string;
  workspaceId: string;
  sequence: number;
  data: string;
}

export type EventHarness = Awaited<ReturnType<typeof startEventHarness>>;

/** The operations on events with a real database. Each call of `instance` is another process of the service. */
export async function startEventHarness(namespace: TestNamespace) {
  // MongoDB deletes events by its own clock.
  const clock = new ManualClock(Date.now());
  const { logger } = silentTelemetry();
  const mongo: Mongo = await connectMongo({ ...mongoOptions(namespace, 'subscriptions'), poolSize: 50 });
  const { db, client } = mongo;
  await ensureCollections(db, collections);
  const outbox = createOutbox(db);
  const started: EventDependencies<Environment>[] = [];

  /** `replace` puts parts of a test in place of the real ones. */
  const instanceIn = <E extends Environment>(
    environment: E,
    replace: Replacements<E> = {},
  ): EventDependencies<E> & FanOutDependencies<E> => {
    const created = createStores(db, environment);
    const stores = replace.stores?.(created) ?? created;
    const transact = createTransact(mongo, { retryDuplicateKeys: true });
    const deps = createEventParts({
      environment,
      stores,
      clock,
      logger,
      transact: replace.transact?.(transact) ?? transact,
      client,
      outbox: replace.outbox?.(outbox) ?? outbox,
      relay: { nudge: () => {} },
    });
    started.push(deps as unknown as EventDependencies<Environment>);
    const { watchers, fanOuts } = stores;
    return { ...deps, watchers, fanOuts };
  };
  const deps = instanceIn('live');

  return {
    clock,
    db,
    deps,
    instanceIn,
    append: <E extends Environment>(to: EventDependencies<E>, ...events: NewEvent<E>[]) =>
      appendEvents(
        to,
        events.map((event) => ({ event, origin })),
        createDeadline(60_000),
      ),
    list: (
      workspaceId: string,
      query: Partial<EventQuery> = {},
      { of = deps, abort = new AbortController().signal }: { of?: EventDependencies<'live'>; abort?: AbortSignal } = {},
    ) =>
      listEvents(
        of,
        live(workspaceId),
        { after: undefined, types: [], watchlistId: '', limit: 50, order: 'asc', waitMs: 0, ...query },
        { deadline: createDeadline(60_000), abort },
      ),
    /** The whole sequence of a workspace, as it is stored. */
    stored: (workspaceId: string, collection = 'events') =>
      db.collection<StoredEvent>(collection).find({ workspaceId }).sort({ sequence: 1 }).toArray(),
    /** The published events, in the order of the outbox. */
    async published(environment: Environment = 'live'): Promise<WorkspaceEvent[]> {
      const { topic, decode } = workspaceEvent[environment];
      const rows = await outbox.collection.find({ topic }).sort({ sequence: 1 }).toArray();
      return rows.map(({ value }) => decode(value instanceof Uint8Array ? value : value.value()));
    },
    addWatchlist: (workspaceId: string, id: string) =>
      db.collection<{ _id: string }>('watchlists').insertOne({ _id: id, workspaceId, deletedAt: null } as never),
    async reset() {
      for (const name of Object.keys(collections)) await db.collection(name).deleteMany({});
    },
    async stop() {
      await Promise.all(started.map(({ waits }) => waits.stop()));
      await mongo.close();
    },
  };
}

export const factsOf = (events: readonly { data: string }[]): string[] =>
  events.map(({ data }) => JSON.parse(data).fact);
export const sequencesOf = (events: readonly { sequence?: number }[]) => events.map(({ sequence }) => sequence);
export const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
