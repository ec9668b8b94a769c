import type { Migration } from '@shopscope/lifecycle';
import { migrateCollections } from '@shopscope/mongo';
import { observationCompleted, profileUpdated, topicsOf } from '@shopscope/proto';
import { collections } from './outbound/mongo/collections.ts';

/** What this service needs in the data servers. */
export const migration: Migration = {
  topics: topicsOf(observationCompleted, profileUpdated.live),
  database: { name: 'profiles', migrate: migrateCollections(collections) },
};
