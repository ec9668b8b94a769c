import type { Migration } from '@shopscope/lifecycle';
import { migrateCollections } from '@shopscope/mongo';
import {
  keyChanged,
  observationCompleted,
  optOutChanged,
  profileUpdated,
  refundRequested,
  scanJobEnded,
  scanRequested,
  testScanCompleted,
  topicsOf,
} from '@shopscope/proto';
import { collections } from './outbound/mongo/stores.ts';

/** What this service needs in the data servers. */
export const migration: Migration = {
  topics: topicsOf(
    keyChanged,
    observationCompleted,
    optOutChanged,
    profileUpdated.live,
    profileUpdated.test,
    refundRequested.live,
    refundRequested.test,
    scanJobEnded.live,
    scanJobEnded.test,
    scanRequested.live,
    scanRequested.test,
    testScanCompleted,
  ),
  database: { name: 'scan_scheduler', migrate: migrateCollections(collections) },
};
