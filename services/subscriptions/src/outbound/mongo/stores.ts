import { type Environment, inEveryEnvironment } from '@shopscope/environment';
import type { CollectionDefinitions } from '@shopscope/mongo';
import { outboxCollections } from '@shopscope/outbox';
import {
  createDeletedWorkspaceStore,
  createQuotaStore,
  deletedWorkspaceIndexes,
  deletedWorkspaceShardKey,
  quotaShardKey,
} from '@shopscope/workspace-deletion';
import type { Db } from 'mongodb';
import { quotaNames } from '../../domain/quota.ts';
import type { StoreGroup } from '../../domain/store-group.ts';
import type { Watchlist } from '../../domain/watchlist.ts';
import { bulkJobIndexes, bulkJobShardKey, createBulkJobStore } from './bulk-jobs.ts';
import { createEventStore, eventIndexes, eventShardKey } from './events.ts';
import { createFanOutStore, fanOutIndexes, fanOutShardKey } from './fan-outs.ts';
import { createGroupStore, groupIndexes, groupShardKey } from './groups.ts';
import { createJobResultStore, jobResultIndexes, jobResultShardKey } from './job-results.ts';
import { createJobStepStore, jobStepIndexes, jobStepShardKey } from './job-steps.ts';
import {
  createListStoreStore,
  createWatchedStoreStore,
  listStoreIndexes,
  listStoreShardKey,
  watchedStoreIndexes,
  watchedStoreShardKey,
} from './member-stores.ts';
import { createRescanQueue, rescanQueueIndexes, rescanQueueShardKey } from './rescan-queue.ts';
import { createRescanStore, rescanIndexes, rescanShardKey } from './rescans.ts';
import { createScanFailureStore, scanFailureIndexes, scanFailureShardKey } from './scan-failures.ts';
import { createSequenceStore, sequenceShardKey } from './sequences.ts';
import { createTurnStore, turnIndexes } from './watched-turns.ts';
import { createWatcherStore } from './watchers.ts';
import { createWatchlistRescans, wakeIndexes } from './watchlist-rescans.ts';

/** The collections of one environment. workspace-data.ts deletes the data of a workspace from each of them. */
export const environmentCollections: CollectionDefinitions = {
  lists: { indexes: groupIndexes, shardKey: groupShardKey },
  list_stores: { indexes: listStoreIndexes, shardKey: listStoreShardKey },
  watchlists: { indexes: [...groupIndexes, ...wakeIndexes], shardKey: groupShardKey },
  watched_stores: { indexes: [...watchedStoreIndexes, ...turnIndexes], shardKey: watchedStoreShardKey },
  quotas: { indexes: [], shardKey: quotaShardKey },
  events: { indexes: eventIndexes, shardKey: eventShardKey },
  sequences: { indexes: [], shardKey: sequenceShardKey },
  rescans: { indexes: rescanIndexes, shardKey: rescanShardKey },
  scan_failures: { indexes: scanFailureIndexes, shardKey: scanFailureShardKey },
  rescan_queue: { indexes: rescanQueueIndexes, shardKey: rescanQueueShardKey },
  bulk_jobs: { indexes: bulkJobIndexes, shardKey: bulkJobShardKey },
  bulk_job_steps: { indexes: jobStepIndexes, shardKey: jobStepShardKey },
  bulk_job_results: { indexes: jobResultIndexes, shardKey: jobResultShardKey },
  deleted_workspaces: { indexes: deletedWorkspaceIndexes, shardKey: deletedWorkspaceShardKey },
  fan_outs: { indexes: fanOutIndexes, shardKey: fanOutShardKey },
};

/** All collections of the service. */
export const collections: CollectionDefinitions = {
  ...inEveryEnvironment(environmentCollections),
  ...outboxCollections,
};

export type Stores<E extends Environment> = ReturnType<typeof createStores<E>>;

export function createStores<E extends Environment>(db: Db, environment: E) {
  return {
    lists: createGroupStore<E, StoreGroup>(db, environment, 'lists'),
    listStores: createListStoreStore(db, environment),
    watchlists: createGroupStore<E, Watchlist>(db, environment, 'watchlists'),
    watchedStores: createWatchedStoreStore(db, environment),
    quotas: createQuotaStore(db, environment, quotaNames),
    events: createEventStore(db, environment),
    sequences: createSequenceStore(db, environment),
    rescanQueue: createRescanQueue(db, environment),
    rescans: createRescanStore(db, environment),
    scanFailures: createScanFailureStore(db, environment),
    watchedTurns: createTurnStore(db, environment),
    watchlistRescans: createWatchlistRescans(db, environment),
    bulkJobs: createBulkJobStore(db, environment),
    jobSteps: createJobStepStore(db, environment),
    jobResults: createJobResultStore(db, environment),
    deletedWorkspaces: createDeletedWorkspaceStore(db, environment),
    watchers: createWatcherStore(db, environment),
    fanOuts: createFanOutStore(db, environment),
  };
}
