import { createKafka } from '@shopscope/kafka';
import { gatewayAck, keyActivity, keyChanged, topics } from '@shopscope/proto';
import { kafkaOptions, waitUntil } from '@shopscope/testing';
import { type Document, MongoClient, type Timestamp } from 'mongodb';
import type { DevEnv } from '../../../src/index.ts';

/** Topics about keys and gateways. They have no data of a store or of a request. */
const aboutKeys = new Set([keyChanged, gatewayAck, keyActivity].map(({ topic }) => topic));
/** Collections of the machinery that both environments share. The outbox is not one of them: it is empty before and after. */
const shared = new Set(['outbox_lease']);
/** Collections of both environments, about keys and the whole service. They have no data of a store or of a request. */
const aboutService = new Set(['dashboard.key_activity', 'dashboard.status_days']);

export interface Production {
  /** The number of documents of each live collection, and of those that name the workspace. In keys, both environments share workspaces. */
  documents: Record<string, { count: number; ofWorkspace: number }>;
  /** The number of records of each live topic. */
  records: Record<string, number>;
}

const services = ['keys', 'profiles', 'metering', 'scan_scheduler', 'subscriptions', 'webhooks', 'dashboard'] as const;

/** Returns the writes of an entry of the oplog. A transaction is one entry. */
const writesOf = (entry: Document): Document[] =>
  Array.isArray(entry.o?.applyOps) ? entry.o.applyOps.flatMap(writesOf) : [entry];

/** Watches the collections and topics of production. */
export async function watchProduction(env: DevEnv) {
  const mongo = await MongoClient.connect(env.data.mongoUrl);
  const { lastWrite } = await mongo.db('admin').command({ hello: 1 });
  const begin: Timestamp = lastWrite.opTime.ts;
  const kafka = createKafka(kafkaOptions(env.data));
  const documentsOf = async (workspaceId: string) => {
    const documents: Production['documents'] = {};
    for (const service of services) {
      const db = mongo.db(env.data.databaseName(service));
      const collections = await db.collections();
      if (collections.length === 0) throw new Error(`${service} has no collection`);
      for (const { collectionName } of collections) {
        if (collectionName.startsWith('test_') || shared.has(collectionName)) continue;
        const name = `${service}.${collectionName}`;
        if (aboutService.has(name)) continue;
        const all = await db.collection(collectionName).find().toArray();
        const isOfWorkspace = (each: object) => service !== 'keys' && JSON.stringify(each).includes(workspaceId);
        documents[name] = { count: all.length, ofWorkspace: all.filter(isOfWorkspace).length };
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
    /** The live collections that a document of the workspace was written to since the watch began, also if it was removed again. */
    async written(workspaceId: string): Promise<string[]> {
      const entries = await mongo
        .db('local')
        .collection('oplog.rs')
        .find({ ts: { $gt: begin } })
        .toArray();
      const watched = services.filter((service) => service !== 'keys');
      const serviceOf = new Map(watched.map((service) => [env.data.databaseName(service), service]));
      const names = entries.flatMap(writesOf).flatMap((write) => {
        const [database = '', name = ''] = String(write.ns).split('.');
        const service = serviceOf.get(database);
        const of = `${service}.${name}`;
        const isLive = service !== undefined && !name.startsWith('test_') && name !== 'outbox' && !aboutService.has(of);
        return isLive && JSON.stringify(write).includes(workspaceId) ? [of] : [];
      });
      return [...new Set(names)].sort();
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
