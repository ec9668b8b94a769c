import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { type Db, type Document, MongoServerError } from 'mongodb';
import type { DevEnv } from '../dev-env.ts';
import { copyDocument } from './copy-document.ts';

export interface DocumentSize {
  /** Bytes of a document as BSON, on average. */
  document: number;
  indexes: number;
  /** Real documents that the copies were made from. */
  samples: number;
}

const maxSamples = 500;
const insertsPerBatch = 1_000;
const duplicateKey = 11_000;

/** Fills a collection of `scratch` with `count` documents like those of `source`, under the same indexes, and reads $collStats. */
export async function measureCollection(
  source: Db,
  scratch: Db,
  name: string,
  count: number,
): Promise<DocumentSize | undefined> {
  const samples = await source.collection(name).find().limit(maxSamples).toArray();
  if (samples.length === 0) return undefined;
  const collection = scratch.collection(name);
  await collection.drop().catch(() => {});
  for (const { v: _, key, name: index, expireAfterSeconds: __, ...options } of await source
    .collection(name)
    .indexes()) {
    if (index !== '_id_') await collection.createIndex(key, options);
  }
  for (let made = 0; made < count; made += insertsPerBatch) {
    const copies: Document[] = [];
    for (let n = 0; n < insertsPerBatch; n++)
      copies.push(copyDocument(samples[(made + n) % samples.length] as Document));
    // Some samples have names instead of ids, whose copies are equal. They are left out.
    await collection.insertMany(copies, { ordered: false }).catch((error) => {
      if (!(error instanceof MongoServerError && error.code === duplicateKey)) throw error;
    });
  }
  // Sizes of files are those of the last checkpoint.
  await scratch.admin().command({ fsync: 1 });
  const [stats] = await collection.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
  const { size, count: found, totalIndexSize } = stats?.storageStats ?? {};
  await collection.drop();
  // Few copies fill no page of an index.
  if (found < count / 2) return { document: size / found, indexes: Number.NaN, samples: samples.length };
  return { document: size / found, indexes: totalIndexSize / found, samples: samples.length };
}

/** Records with their bytes, key and headers included, by topic without prefix. */
export async function measureTopics({
  brokers,
  topicPrefix,
}: DevEnv['data']): Promise<Map<string, { bytes: number; records: number }>> {
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(topicPrefix));
  const left = new Map<string, number>();
  for (const topic of topics) {
    const partitions = await admin.fetchTopicOffsets(topic);
    left.set(
      topic,
      partitions.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0),
    );
  }
  await admin.disconnect();
  const filled = topics.filter((topic) => (left.get(topic) ?? 0) > 0);
  const totals = new Map(filled.map((topic) => [topic, { bytes: 0, records: left.get(topic) ?? 0 }]));
  const consumer = kafka.consumer({ groupId: `${topicPrefix}sizes` });
  await consumer.connect();
  await consumer.subscribe({ topics: filled, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    let open = filled.reduce((sum, topic) => sum + (left.get(topic) ?? 0), 0);
    const eachMessage = async ({ topic, message }: { topic: string; message: Record<string, unknown> }) => {
      const total = totals.get(topic);
      if (total) total.bytes += lengthOf(message.key) + lengthOf(message.value) + lengthOf(message.headers);
      open--;
      if (open === 0) resolve();
    };
    consumer.run({ eachMessage: eachMessage as never }).catch(reject);
  });
  await consumer.disconnect();
  return new Map([...totals].map(([topic, total]) => [topic.slice(topicPrefix.length), total]));
}

function lengthOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.byteLength(value);
  return Object.entries(value).reduce((sum, [name, each]) => sum + lengthOf(name) + lengthOf(each), 0);
}

/** Bytes of memory of a key, on average, by the first word of its name. */
export async function measureRedis({ redisUrl, redisKeyPrefix }: DevEnv['data']): Promise<Map<string, number>> {
  const redis = new Redis(redisUrl);
  const sizes = new Map<string, number[]>();
  for await (const keys of redis.scanStream({ match: `${redisKeyPrefix}*` })) {
    for (const key of keys as string[]) {
      const name = key.slice(redisKeyPrefix.length);
      const kind = `${name.split(':')[0]}${/:(bytes|lock)$/.exec(name)?.[0] ?? ''}`;
      const bytes = await redis.memory('USAGE', key);
      if (bytes !== null) sizes.set(kind, [...(sizes.get(kind) ?? []), bytes]);
    }
  }
  redis.disconnect();
  return new Map([...sizes].map(([kind, all]) => [kind, all.reduce((sum, each) => sum + each, 0) / all.length]));
}
