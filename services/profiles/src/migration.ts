import type { Migration } from '@shopscope/lifecycle';
import { migrateCollections } from '@shopscope/mongo';
import {
  keyChanged,
  observationCompleted,
  optOutChanged,
  profileUpdated,
  testScanCompleted,
  topicsOf,
} from '@shopscope/proto';
import { collections } from './outbound/mongo/collections.ts';

/** The events that this service consumes and publishes. */
export const eventTypes = [
  observationCompleted,
  testScanCompleted,
  profileUpdated.live,
  profileUpdated.test,
  keyChanged,
  optOutChanged,
] as const;

/** What this service needs in the data servers. */
export const migration: Migration = {
  topics: topicsOf(...eventTypes),
  database: { name: 'profiles', migrate: migrateCollections(collections) },
};
