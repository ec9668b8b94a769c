import { type Environment, environments, nameIn } from '@shopscope/environment';
import type { IndexDefinition } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { StoreGroup } from '../../domain/store-group.ts';
import type { Watchlist } from '../../domain/watchlist.ts';
import {
  createDeletedWorkspaceStore,
  deletedWorkspaceIndexes,
  deletedWorkspaceShardKey,
} from './deleted-workspaces.ts';
import { createEventStore, eventIndexes, eventShardKey } from './events.ts';
import { createFanOutStore, fanOutIndexes, fanOutShardKey } from './fan-outs.ts';
import { createGroupStore, groupIndexes, groupShardKey } from './groups.ts';
import {
  createListStoreStore,
  createWatchedStoreStore,
  listStoreIndexes,
  listStoreShardKey,
  watchedStoreIndexes,
  watchedStoreShardKey,
} from './member-stores.ts';
import { createQuotaStore, quotaShardKey } from './quotas.ts';
import { createSequenceStore, sequenceShardKey } from './sequences.ts';
import { createWatcherStore } from './watchers.ts';

/** The collections of one environment. workspace-data.ts deletes the data of a workspace from each of them. */
export const collections: Record<string, { indexes: readonly IndexDefinition[]; shardKey: Record<string, 1> }> = {
  lists: { indexes: groupIndexes, shardKey: groupShardKey },
  list_stores: { indexes: listStoreIndexes, shardKey: listStoreShardKey },
  watchlists: { indexes: groupIndexes, shardKey: groupShardKey },
  watched_stores: { indexes: watchedStoreIndexes, shardKey: watchedStoreShardKey },
  quotas: { indexes: [], shardKey: quotaShardKey },
  events: { indexes: eventIndexes, shardKey: eventShardKey },
  sequences: { indexes: [], shardKey: sequenceShardKey },
  deleted_workspaces: { indexes: deletedWorkspaceIndexes, shardKey: deletedWorkspaceShardKey },
  fan_outs: { indexes: fanOutIndexes, shardKey: fanOutShardKey },
};

/** The indexes of the collections of every environment. */
export const collectionIndexes = Object.fromEntries(
  environments.flatMap((environment) =>
    Object.entries(collections).map(([name, { indexes }]) => [nameIn(environment, name, '_'), indexes]),
  ),
);

export type Stores<E extends Environment> = ReturnType<typeof createStores<E>>;

export function createStores<E extends Environment>(db: Db, environment: E) {
  return {
    lists: createGroupStore<E, StoreGroup>(db, environment, 'lists'),
    listStores: createListStoreStore(db, environment),
    watchlists: createGroupStore<E, Watchlist>(db, environment, 'watchlists'),
    watchedStores: createWatchedStoreStore(db, environment),
    quotas: createQuotaStore(db, environment),
    events: createEventStore(db, environment),
    sequences: createSequenceStore(db, environment),
    deletedWorkspaces: createDeletedWorkspaceStore(db, environment),
    watchers: createWatcherStore(db, environment),
    fanOuts: createFanOutStore(db, environment),
  };
}
