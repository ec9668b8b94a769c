import { dayMs, hourMs, secondMs } from '@shopscope/clock';
import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { WorkspaceEventType } from '@shopscope/proto';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db, Filter } from 'mongodb';
import {
  eventRetentionDays,
  type NewEvent,
  type Related,
  type SequencedEvent,
  type SignalSubject,
} from '../../domain/event.ts';
import type { Read } from './reads.ts';

interface EventDocument {
  /** Workspace id and event id: an event exists once in a workspace. */
  _id: string;
  workspaceId: string;
  sequence: number;
  type: WorkspaceEventType;
  createdAt: Date;
  watchlistIds: readonly string[];
  related: Related | null;
  data: string;
  subject?: SignalSubject;
}

/** MongoDB deletes events an hour after reads have left them out, so that a page that is being read loses none of its events. */
const deletionDelayMs = hourMs;

/** Documents of one workspace are on one shard, so the unique `_id` and the unique sequence hold for the whole cluster. */
export const eventCollection = {
  indexes: [
    { key: { workspaceId: 1, sequence: 1 }, options: { unique: true } },
    {
      key: { createdAt: 1 },
      options: { expireAfterSeconds: (eventRetentionDays * dayMs + deletionDelayMs) / secondMs },
    },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: '_id begins with the workspace',
} as const satisfies CollectionDefinition;

export interface EventFilter {
  /** An empty list selects all types. */
  types: readonly WorkspaceEventType[];
  /** If empty, events with and without a watchlist are selected. */
  watchlistId: string;
}

export interface EventRange extends EventFilter {
  after: number;
  until: number;
  keptSince: Date;
  limit: number;
  order: 'asc' | 'desc';
  maxBytes: number;
}

export type EventStore<E extends Environment> = Handles<E> & ReturnType<typeof eventStore<E>>;

/** Every command has the shard key. */
export const createEventStore = <E extends Environment>(db: Db, environment: E): EventStore<E> =>
  eventStore(db.collection<EventDocument>(nameIn(environment, 'events', '_')), environment);

function eventStore<E extends Environment>(collection: Collection<EventDocument>, environment: E) {
  const idOf = ({ tenant, id }: NewEvent<E>) => `${tenant.workspaceId}/${id}`;
  const eventOf = ({ _id, workspaceId, ...rest }: EventDocument): SequencedEvent<E> => ({
    tenant: { workspaceId, environment },
    id: _id.slice(workspaceId.length + 1),
    ...rest,
  });
  const filterOf = ({ types, watchlistId }: EventFilter): Filter<EventDocument> => ({
    ...(types.length > 0 && { type: { $in: [...types] } }),
    ...(watchlistId !== '' && { watchlistIds: watchlistId }),
  });

  return {
    environment,

    /** Returns those of which the sequences have no event, in the given order. Of those with one id it returns the last one. */
    async absent<Given extends { event: NewEvent<E> }>(given: readonly Given[], tx: Tx): Promise<Given[]> {
      const byId = new Map(given.map((each) => [idOf(each.event), each]));
      const workspaceIds = [...new Set(given.map(({ event }) => event.tenant.workspaceId))];
      const query = { workspaceId: { $in: workspaceIds }, _id: { $in: [...byId.keys()] } };
      for await (const { _id } of collection.find(query, { ...tx, projection: { _id: 1 } })) byId.delete(_id);
      return [...byId.values()];
    },

    async insert(events: readonly SequencedEvent<E>[], tx: Tx): Promise<void> {
      const documents = events.map((event) => {
        const { tenant, id: _, ...rest } = event;
        return { _id: idOf(event), workspaceId: tenant.workspaceId, ...rest };
      });
      await collection.insertMany(documents, tx);
    },

    /**
     * Returns up to `limit` matching events with `after` < sequence ≤ `until`, and whether there are more. It ends before the event with
     * which the data would exceed `maxBytes`, but has at least one.
     */
    async list(
      { workspaceId }: Tenant<E>,
      range: EventRange,
      read: Read,
    ): Promise<{ events: SequencedEvent<E>[]; hasMore: boolean }> {
      const { after, until, keptSince, limit, order, maxBytes } = range;
      const sequence = { $gt: after, $lte: until };
      const query = { workspaceId, sequence, createdAt: { $gt: keptSince }, ...filterOf(range) };
      const cursor = collection.find(query, read).sort({ sequence: order === 'asc' ? 1 : -1 });
      const events: SequencedEvent<E>[] = [];
      let bytes = 0;
      for await (const document of cursor.limit(limit + 1)) {
        bytes += Buffer.byteLength(document.data);
        if (events.length === limit || (events.length > 0 && bytes > maxBytes)) return { events, hasMore: true };
        events.push(eventOf(document));
      }
      return { events, hasMore: false };
    },

    /** Returns the sequence of the oldest event that is kept, or null if there is none. */
    async oldest({ workspaceId }: Tenant<E>, keptSince: Date, read: Read): Promise<number | null> {
      const options = { ...read, projection: { sequence: 1 }, sort: { sequence: 1 } } as const;
      return (await collection.findOne({ workspaceId, createdAt: { $gt: keptSince } }, options))?.sequence ?? null;
    },

    /** Whether the event with this sequence is kept. */
    async has({ workspaceId }: Tenant<E>, sequence: number, keptSince: Date, read: Read): Promise<boolean> {
      const query = { workspaceId, sequence, createdAt: { $gt: keptSince } };
      return (await collection.findOne(query, { ...read, projection: { _id: 1 } })) !== null;
    },

    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}
