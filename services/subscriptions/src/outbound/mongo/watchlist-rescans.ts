import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Rescans } from '../../domain/rescans.ts';

interface WatchlistDocument {
  _id: string;
  workspaceId: string;
  deletedAt: Date | null;
  rescans: Rescans;
}

export const wakeIndexes = [
  {
    key: { workspaceId: 1, 'rescans.wakeAt': 1 },
    options: { partialFilterExpression: { 'rescans.wakeAt': { $type: 'date' } } },
  },
] as const;

export type WatchlistRescans<E extends Environment> = Handles<E> & ReturnType<typeof watchlistRescans<E>>;

/** Finds the watchlists of a workspace that the timer has to look at. Every command has the shard key. */
export const createWatchlistRescans = <E extends Environment>(db: Db, environment: E): WatchlistRescans<E> =>
  watchlistRescans(db.collection<WatchlistDocument>(nameIn(environment, 'watchlists', '_')), environment);

function watchlistRescans<E extends Environment>(collection: Collection<WatchlistDocument>, environment: E) {
  return {
    environment,

    /** Returns the ids and keys of watchlists whose time has come, the earliest first. */
    async due({ workspaceId }: Tenant<E>, now: Date, limit: number, maxTimeMS: number) {
      const query = { workspaceId, 'rescans.wakeAt': { $lte: now, $type: 'date' as const }, deletedAt: null };
      const found = collection.find(query, { maxTimeMS, projection: { 'rescans.keyId': 1 } });
      const rows = await found.sort({ 'rescans.wakeAt': 1 }).limit(limit).toArray();
      return rows.map(({ _id: id, rescans: { keyId } }) => ({ id, keyId }));
    },

    /** Returns the earliest time at which a watchlist needs the timer, or null. */
    async nextWake({ workspaceId }: Tenant<E>, tx: Tx): Promise<Date | null> {
      const query = { workspaceId, 'rescans.wakeAt': { $type: 'date' as const }, deletedAt: null };
      const options = { ...tx, sort: { 'rescans.wakeAt': 1 }, projection: { 'rescans.wakeAt': 1 } } as const;
      return (await collection.findOne(query, options))?.rescans.wakeAt ?? null;
    },

    /** Returns the ids of the watchlists whose rescans a key pays. */
    async ofKey({ workspaceId }: Tenant<E>, keyId: string, maxTimeMS: number): Promise<string[]> {
      const query = { workspaceId, deletedAt: null, 'rescans.keyId': keyId };
      return (await collection.find(query, { maxTimeMS, projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
    },
  };
}
