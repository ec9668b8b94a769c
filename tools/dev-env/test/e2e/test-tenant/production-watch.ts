import { createKafka } from '@shopscope/kafka';
import { gatewayAck, keyActivity, keyChanged, topics } from '@shopscope/proto';
import { kafkaOptions, waitUntil } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import type { DevEnv } from '../../../src/index.ts';

/** Topics about keys and gateways. They have no data of a store or of a request. */
const aboutKeys = new Set([keyChanged, gatewayAck, keyActivity].map(({ topic }) => topic));
/** Collections of the machinery that both environments share: rows on their way, and who sends them. */
const shared = new Set(['outbox', 'outbox_lease']);

export interface Production {
  /** The number of documents of each live collection, and of those that name the workspace. */
  documents: Record<string, { count: number; ofWorkspace: number }>;
  /** The number of records of each live topic. */
  records: Record<string, number>;
}

const services = ['keys', 'profiles', 'metering', 'scan_scheduler', 'subscriptions', 'webhooks', 'dashboard'] as const;

/** Watches the collections and topics of production. */
export async function watchProduction(env: DevEnv) {
  const mongo = await MongoClient.connect(env.data.mongoUrl);
  const kafka = createKafka(kafkaOptions(env.data));
  const documentsOf = async (workspaceId: string) => {
    const documents: Production['documents'] = {};
    for (const service of services) {
      const db = mongo.db(env.data.databaseName(service));
      const collections = await db.collections();
      // Otherwise the watch of a service that does not run would always succeed.
      if (collections.length === 0) throw new Error(`${service} has no collection`);
      for (const { collectionName } of collections) {
        if (/^(test_|system\.)/.test(collectionName) || shared.has(collectionName)) continue;
        const all = await db.collection(collectionName).find().toArray();
        const ofWorkspace = all.filter((each) => JSON.stringify(each).includes(workspaceId)).length;
        documents[`${service}.${collectionName}`] = { count: all.length, ofWorkspace };
      }
    }
    return documents;
  };
  const recordsOf = async () => {
    const live = topics.filter(({ topic }) => !topic.startsWith('test-') && !aboutKeys.has(topic));
    const counts = live.map(async ({ topic }) => {
      const offsets = await kafka.endOffsets(topic);
      return [topic, [...offsets.values()].reduce((sum, end) => sum + Number(end), 0)] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  };
  return {
    async read(workspaceId: string): Promise<Production> {
      return { documents: await documentsOf(workspaceId), records: await recordsOf() };
    },
    /** Waits until a request log of the dashboard has a request of the operation. A gateway sends its requests after some seconds. */
    async logged(
      name: 'request_batches' | 'test_request_batches',
      workspaceId: string,
      operation: string,
    ): Promise<void> {
      const log = mongo.db(env.data.databaseName('dashboard')).collection(name);
      const found = () => log.findOne({ workspaceId, operations: operation });
      await waitUntil(`${name} to have ${operation}`, found, { timeoutMs: 60_000 });
    },
    async close() {
      await mongo.close();
      await kafka.close();
    },
  };
}
