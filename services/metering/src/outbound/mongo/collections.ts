import { inEveryEnvironment } from '@shopscope/environment';
import type { CollectionDefinition, CollectionDefinitions } from '@shopscope/mongo';
import { outboxCollections } from '@shopscope/outbox';
import { allowanceIndexes, allowanceShardKey } from './allowances.ts';
import { chargeIndexes, chargeShardKey } from './charges.ts';
import { checkpointShardKey } from './checkpoints.ts';
import { endedGenerationCollection, generationCollection } from './generations.ts';
import { leaseCountIndexes, leaseCountShardKey } from './lease-counts.ts';
import { leaseIndexes } from './leases.ts';
import { ledgerIndexes, ledgerShardKey } from './ledger.ts';
import { refundIndexes, refundShardKey } from './refunds.ts';
import { usageCounterIndexes, usageCounterShardKey } from './usage-counters.ts';
import { allowanceValidator, chargeValidator, counterValidator, ledgerValidator } from './validators.ts';

const ofWorkspace = 'all documents of a workspace are on one shard, and an id belongs to one workspace';
const ofTimer = 'a timer looks for work of all workspaces';
const ofOwners = 'after a duplicate key, the workspace of the existing document is looked up';
const ofReconciler = 'the reconciler visits all workspaces in the order of their ids';
const ofWorkspaceRange = 'a range of ids of one workspace, which is on one shard';
const ofPeriod = 'a range of ids of one workspace and period, which is on one shard';

/**
 * The collections of each environment. Each shard key begins with the workspace, as a field or as the beginning of the id. Zones with the same
 * ranges of workspaces in all collections therefore keep the transactions of a workspace on one shard.
 */
const environmentCollections: CollectionDefinitions = {
  charges: {
    indexes: chargeIndexes,
    validator: chargeValidator,
    shardKey: chargeShardKey,
    uniqueId: ofWorkspace,
    scatters: { 'find sweepAt': ofTimer, 'find _id': ofOwners },
  },
  ledger: {
    indexes: ledgerIndexes,
    validator: ledgerValidator,
    shardKey: ledgerShardKey,
    uniqueId: ofWorkspace,
    scatters: { 'find _id': ofOwners },
  },
  refunds: {
    indexes: refundIndexes,
    shardKey: refundShardKey,
    uniqueId: ofWorkspace,
    scatters: { 'find retryAt': ofTimer, 'aggregate retryAt': 'the metric of open refunds counts them' },
  },
  allowances: {
    indexes: [...allowanceIndexes, ...leaseIndexes],
    validator: allowanceValidator,
    shardKey: allowanceShardKey,
    idBegins: 'workspaceId',
    scatters: {
      'find leases': ofTimer,
      'find $nor,leases,workspaceId': ofTimer,
      'find _id': ofReconciler,
      'find _id,touchedAt': ofReconciler,
    },
  },
  usage_counters: {
    indexes: usageCounterIndexes,
    validator: counterValidator,
    shardKey: usageCounterShardKey,
    idBegins: 'workspaceId',
    scatters: { 'find _id': ofPeriod, 'find _id,keyId,touchedAt': ofReconciler },
  },
  lease_counts: {
    indexes: leaseCountIndexes,
    shardKey: leaseCountShardKey,
    idBegins: 'workspaceId',
    scatters: { 'find isPending': ofTimer },
  },
  checkpoints: {
    indexes: [],
    shardKey: checkpointShardKey,
    idBegins: 'workspaceId',
    scatters: { 'find _id': ofWorkspaceRange },
  },
};

/** All collections of the service. */
export const collections: CollectionDefinitions = {
  ...inEveryEnvironment<CollectionDefinition>(environmentCollections),
  test_generations: generationCollection,
  test_ended_generations: endedGenerationCollection,
  ...outboxCollections,
};
