import { type Environment, inEveryEnvironment } from '@shopscope/environment';
import type { CollectionDefinitions } from '@shopscope/mongo';
import { outboxCollections } from '@shopscope/outbox';
import {
  createDeletedWorkspaceStore,
  createQuotaStore,
  deletedWorkspaceCollection,
  quotaCollection,
} from '@shopscope/workspace-deletion';
import type { Db } from 'mongodb';
import { quotaNames } from '../../domain/quota.ts';
import type { StoreGroup } from '../../domain/store-group.ts';
import type { Watchlist } from '../../domain/watchlist.ts';
import { bulkJobCollection, createBulkJobStore } from './bulk-jobs.ts';
import { createEventStore, eventCollection } from './events.ts';
import { createFanOutStore, fanOutCollection } from './fan-outs.ts';
import { createGroupStore, groupCollection } from './groups.ts';
import { createJobPartStore, jobPartCollection } from './job-parts.ts';
import { createJobResultStore, jobResultCollection } from './job-results.ts';
import { createJobStepStore, jobStepCollection } from './job-steps.ts';
import {
  createListStoreStore,
  createWatchedStoreStore,
  listStoreCollection,
  watchedStoreCollection,
} from './member-stores.ts';
import { createRescanQueue, rescanQueueCollection } from './rescan-queue.ts';
import { createRescanStore, rescanCollection } from './rescans.ts';
import { createScanFailureStore, scanFailureCollection } from './scan-failures.ts';
import { createSequenceStore, sequenceCollection } from './sequences.ts';
import { createTurnStore } from './watched-turns.ts';
import { createWatcherStore } from './watchers.ts';
import { createWatchlistRescans, wakeIndexes } from './watchlist-rescans.ts';

/** The collections of one environment. workspace-data.ts deletes the data of a workspace from each of them. */
export const environmentCollections: CollectionDefinitions = {
  lists: groupCollection,
  list_stores: listStoreCollection,
  watchlists: { ...groupCollection, indexes: [...groupCollection.indexes, ...wakeIndexes] },
  watched_stores: watchedStoreCollection,
  quotas: quotaCollection,
  events: eventCollection,
  sequences: sequenceCollection,
  rescans: rescanCollection,
  scan_failures: scanFailureCollection,
  rescan_queue: rescanQueueCollection,
  bulk_jobs: bulkJobCollection,
  bulk_job_steps: jobStepCollection,
  bulk_job_results: jobResultCollection,
  bulk_job_parts: jobPartCollection,
  deleted_workspaces: deletedWorkspaceCollection,
};

/** All collections of the service. */
export const collections: CollectionDefinitions = {
  ...inEveryEnvironment(environmentCollections),
  // A test store has one watcher, so it is never fanned out.
  fan_outs: fanOutCollection,
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
    jobParts: createJobPartStore(db, environment),
    deletedWorkspaces: createDeletedWorkspaceStore(db, environment),
    watchers: createWatcherStore(db, environment),
    fanOuts: createFanOutStore(db, environment),
  };
}
