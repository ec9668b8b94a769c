import { type Environment, type Handles, nameIn } from '@shopscope/environment';
import type { Db, Filter } from 'mongodb';
import type { MemberDocument } from './member-stores.ts';

/** A store of a watchlist. */
export interface Watcher {
  domain: string;
  workspaceId: string;
  watchlistId: string;
  externalId: string | null;
}

export type WatcherStore<E extends Environment> = Handles<E> & ReturnType<typeof watcherStore<E>>;

/** The watchlists of a store: watched_stores by domain. Every command has the shard key. */
export const createWatcherStore = <E extends Environment>(db: Db, environment: E): WatcherStore<E> =>
  watcherStore(db, environment);

function watcherStore<E extends Environment>(db: Db, environment: E) {
  type WatcherDocument = MemberDocument & { watchlistId: string };
  const collection = db.collection<WatcherDocument>(nameIn(environment, 'watched_stores', '_'));
  const projection = { _id: 0, domain: 1, workspaceId: 1, watchlistId: 1, externalId: 1 } as const;

  /** Returns watchers by domain, workspace and watchlist. A limit of 0 is no limit. */
  const list = (query: Filter<WatcherDocument>, limit: number, maxTimeMS: number): Promise<Watcher[]> =>
    collection
      .find(query, { maxTimeMS, projection, batchSize: 10_000 })
      .sort({ domain: 1, workspaceId: 1, watchlistId: 1 })
      .limit(limit)
      .toArray();

  return {
    environment,
    ofDomains: (domains: readonly string[], limit: number, maxTimeMS: number) =>
      list({ domain: { $in: [...domains] } }, limit, maxTimeMS),
    /** Returns watchers in the workspaces behind `afterWorkspaceId` (empty: from the first one on). */
    ofDomain: (domain: string, afterWorkspaceId: string, limit: number, maxTimeMS: number) =>
      list({ domain, workspaceId: { $gt: afterWorkspaceId } }, limit, maxTimeMS),
    /** The quota of the workspace bounds its watchlists. */
    ofWorkspace: (domain: string, workspaceId: string, maxTimeMS: number) =>
      list({ domain, workspaceId }, 0, maxTimeMS),
  };
}
