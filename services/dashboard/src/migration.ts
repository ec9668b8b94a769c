import type { Migration } from '@shopscope/lifecycle';
import { migrateCollections } from '@shopscope/mongo';
import { gatewayAck, keyActivity, requestsCompleted, topicsOf, webhookStateChanged } from '@shopscope/proto';
import { collections } from './app/wiring/collections.ts';

/** What this service needs in the data servers. */
export const migration: Migration = {
  topics: topicsOf(gatewayAck, keyActivity, requestsCompleted.live, requestsCompleted.test, webhookStateChanged.live),
  database: { name: 'dashboard', migrate: migrateCollections(collections) },
};
