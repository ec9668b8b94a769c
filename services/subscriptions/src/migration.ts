import type { Migration } from '@shopscope/lifecycle';
import { migrateCollections } from '@shopscope/mongo';
import {
  allowanceThresholdReached,
  keyChanged,
  profileUpdated,
  scanJobEnded,
  scanRequested,
  topicsOf,
  usageRecorded,
  webhookStateChanged,
  workspaceEvent,
} from '@shopscope/proto';
import { collections } from './outbound/mongo/stores.ts';

/** What this service needs in the data servers. */
export const migration: Migration = {
  topics: topicsOf(
    allowanceThresholdReached.live,
    allowanceThresholdReached.test,
    keyChanged,
    profileUpdated.live,
    profileUpdated.test,
    scanJobEnded.live,
    scanJobEnded.test,
    scanRequested.live,
    scanRequested.test,
    usageRecorded.live,
    usageRecorded.test,
    webhookStateChanged.live,
    webhookStateChanged.test,
    workspaceEvent.live,
    workspaceEvent.test,
  ),
  database: { name: 'subscriptions', migrate: migrateCollections(collections) },
};
