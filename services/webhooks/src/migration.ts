import type { Migration } from '@shopscope/lifecycle';
import { migrateCollections } from '@shopscope/mongo';
import { keyChanged, topicsOf, webhookStateChanged, workspaceEvent } from '@shopscope/proto';
import { collections } from './outbound/mongo/stores.ts';

/** What this service needs in the data servers. */
export const migration: Migration = {
  topics: topicsOf(
    keyChanged,
    webhookStateChanged.live,
    webhookStateChanged.test,
    workspaceEvent.live,
    workspaceEvent.test,
  ),
  database: { name: 'webhooks', migrate: migrateCollections(collections) },
};
