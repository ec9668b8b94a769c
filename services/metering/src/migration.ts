import type { Migration } from '@shopscope/lifecycle';
import { migrateCollections } from '@shopscope/mongo';
import { allowanceThresholdReached, keyChanged, refundRequested, topicsOf, usageRecorded } from '@shopscope/proto';
import { collections } from './outbound/mongo/collections.ts';

/** What this service needs in the data servers. */
export const migration: Migration = {
  topics: topicsOf(
    ...Object.values(allowanceThresholdReached),
    ...Object.values(refundRequested),
    keyChanged,
    ...Object.values(usageRecorded),
  ),
  database: { name: 'metering', migrate: migrateCollections(collections) },
};
