import type { CollectionDefinitions } from '@shopscope/mongo';
import { outboxCollections } from '@shopscope/outbox';
import { observationIndexes } from './observations.ts';
import { openRecordIndexes } from './open-records.ts';
import { optOutIndexes } from './opt-outs.ts';
import { signalIndexes } from './signals.ts';
import { testStoreCollection } from './test-stores.ts';

const walk = 'a walk over the domains, range by range';

/** All collections of the service. The `_id` of a store is its domain. */
export const collections = {
  stores: {
    indexes: [],
    shardKey: { _id: 1 },
    idBegins: 'domain',
    scatters: {
      'find _id': walk,
      'find _id,removedAt': walk,
      'find _id,status.state': walk,
      'aggregate _id,removedAt': walk,
      'count *': 'an estimate for a metric',
    },
  },
  store_bodies: {
    indexes: [],
    shardKey: { _id: 1 },
    idBegins: 'domain',
    scatters: { 'find _id': walk, 'count *': 'an estimate for the progress of a walk' },
  },
  observations: {
    indexes: observationIndexes,
    shardKey: { domain: 1 },
    uniqueId: 'scan ids are random, and a scan has one domain',
    scatters: { 'find domain,rejection,sequence': 'a replay of all stores by domain' },
  },
  signals: {
    indexes: signalIndexes,
    shardKey: { domain: 1 },
    uniqueId: 'ids are derived from the domain and the scan',
    scatters: {
      'find confirmedAt,state,…': 'a search over all stores',
      'find recordedAt,state,…': 'a follower of all stores',
      'find _id,state': 'the signals of a page, by their ids',
    },
  },
  opt_outs: { indexes: optOutIndexes, unsharded: 'at most 10,000 documents are in force' },
  open_records: { indexes: openRecordIndexes, unsharded: 'a document per transaction that records signals now' },
  test_open_records: { indexes: openRecordIndexes, unsharded: 'as open_records' },
  test_stores: testStoreCollection,
  corpus_counts: { indexes: [], unsharded: 'some documents' },
  ...outboxCollections,
} as const satisfies CollectionDefinitions;
