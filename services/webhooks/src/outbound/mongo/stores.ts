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
import { closingCollection, createClosingStore } from './closings.ts';
import { createDeliveryStore, deliveryCollection } from './deliveries.ts';
import { createEndpointStore, endpointCollection } from './endpoints.ts';
import { createQueueStore, queueCollection } from './queues.ts';
import { createReplayStore, replayCollection } from './replays.ts';

/** The collections of one environment. workspace-data.ts deletes the data of a workspace from each of them. */
export const environmentCollections: CollectionDefinitions = {
  endpoints: endpointCollection,
  queues: queueCollection,
  deliveries: deliveryCollection,
  closings: closingCollection,
  replays: replayCollection,
  quotas: quotaCollection,
  deleted_workspaces: deletedWorkspaceCollection,
};

/** All collections of the service. */
export const collections: CollectionDefinitions = {
  ...inEveryEnvironment(environmentCollections),
  ...outboxCollections,
};

export type Stores<E extends Environment> = ReturnType<typeof createStores<E>>;

export function createStores<E extends Environment>(db: Db, environment: E) {
  return {
    endpoints: createEndpointStore(db, environment),
    queues: createQueueStore(db, environment),
    deliveries: createDeliveryStore(db, environment),
    closings: createClosingStore(db, environment),
    replays: createReplayStore(db, environment),
    quotas: createQuotaStore(db, environment, ['webhooks', 'unfinishedReplays']),
    deletedWorkspaces: createDeletedWorkspaceStore(db, environment),
  };
}
