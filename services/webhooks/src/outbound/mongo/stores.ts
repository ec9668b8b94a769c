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
import { closingIndexes, closingShardKey, createClosingStore } from './closings.ts';
import { createDeliveryStore, deliveryIndexes, deliveryShardKey } from './deliveries.ts';
import { createEndpointStore, endpointIndexes, endpointShardKey } from './endpoints.ts';
import { createQueueStore, queueIndexes, queueShardKey } from './queues.ts';
import { createReplayStore, replayIndexes, replayShardKey } from './replays.ts';

/** The collections of one environment. workspace-data.ts deletes the data of a workspace from each of them. */
export const environmentCollections: CollectionDefinitions = {
  endpoints: { indexes: endpointIndexes, shardKey: endpointShardKey },
  queues: { indexes: queueIndexes, shardKey: queueShardKey },
  deliveries: { indexes: deliveryIndexes, shardKey: deliveryShardKey },
  closings: { indexes: closingIndexes, shardKey: closingShardKey },
  replays: { indexes: replayIndexes, shardKey: replayShardKey },
  quotas: { indexes: [], shardKey: quotaShardKey },
  deleted_workspaces: { indexes: deletedWorkspaceIndexes, shardKey: deletedWorkspaceShardKey },
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
