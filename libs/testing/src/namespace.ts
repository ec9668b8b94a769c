import { randomBytes } from 'node:crypto';
import { Cluster, Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { deleteIndexes, openSearchOfTheRun } from './opensearch.ts';

/**
 * The part of the running servers that belongs to one test file: names of databases, topics and keys that no other test uses. The test run
 * sets the URLs of the servers before its workers start: SHOPSCOPE_MONGODB_URL, SHOPSCOPE_KAFKA_BROKERS and SHOPSCOPE_REDIS_URL. OpenSearch
 * starts when the first file asks for it.
 */
export interface TestNamespace {
  id: string;
  mongoUrl: string;
  brokers: string[];
  redisUrl: string;
  topicPrefix: string;
  redisKeyPrefix: string;
  indexPrefix: string;
  /** The URL of OpenSearch. The first call of a run starts it. */
  openSearchUrl(): Promise<string>;
  databaseName(service: string): string;
  /** Drops the namespace's databases, topics, keys and indexes. */
  cleanup(): Promise<void>;
}

export function testNamespace(label = 'test'): TestNamespace {
  const id = `${label}-${randomBytes(4).toString('hex')}`;
  const mongoUrl = required('SHOPSCOPE_MONGODB_URL');
  const brokers = required('SHOPSCOPE_KAFKA_BROKERS').split(',');
  const redisUrl = required('SHOPSCOPE_REDIS_URL');
  const databases = new Set<string>();
  const topicPrefix = `${id}.`;
  const redisKeyPrefix = `${id}:`;
  const indexPrefix = `${id.toLowerCase()}-`;
  let openSearch: Promise<string> | undefined;

  return {
    id,
    mongoUrl,
    brokers,
    redisUrl,
    topicPrefix,
    redisKeyPrefix,
    indexPrefix,
    openSearchUrl() {
      openSearch ??= openSearchOfTheRun(process.env);
      return openSearch;
    },
    databaseName(service) {
      const name = `${id}_${service}`.replaceAll(/[^\w-]/g, '_');
      databases.add(name);
      return name;
    },
    async cleanup() {
      await Promise.all([
        dropDatabases(mongoUrl, databases),
        deleteTopics(brokers, topicPrefix),
        deleteKeys(redisUrl, redisKeyPrefix),
        openSearch?.then((url) => deleteIndexes(url, indexPrefix)),
      ]);
    },
  };
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the tests with npm test, or point it at a running stack`);
  return value;
}

async function dropDatabases(url: string, names: ReadonlySet<string>): Promise<void> {
  if (names.size === 0) return;
  const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 5_000 });
  for (const name of names) await client.db(name).dropDatabase();
  await client.close();
}

async function deleteTopics(brokers: string[], prefix: string): Promise<void> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  if (topics.length > 0) await admin.deleteTopics({ topics });
  await admin.disconnect();
}

async function deleteKeys(url: string, prefix: string): Promise<void> {
  const redis = connectRedis(url);
  try {
    for (const node of await primariesOf(redis)) {
      for await (const keys of node.scanStream({ match: `${prefix}*`, count: 500 })) {
        // The keys of one command may be in several slots, so each has its own.
        await Promise.all((keys as string[]).map((key) => node.unlink(key)));
      }
    }
  } finally {
    redis.disconnect();
  }
}

/** Connects to the server of redis://host, the primary of redis+sentinel://host,host/NAME or the nodes of redis+cluster://host,host. */
function connectRedis(url: string): Redis | Cluster {
  const [, form, list = '', name = ''] = /^redis\+(sentinel|cluster):\/\/([^/]+)\/?(.*)$/.exec(url) ?? [];
  const hosts = list.split(',').map((address) => {
    const [host = '', port] = address.split(':');
    return { host, port: Number(port) };
  });
  if (form === 'sentinel') return new Redis({ sentinels: hosts, name });
  return form === 'cluster' ? new Cluster(hosts) : new Redis(url);
}

async function primariesOf(redis: Redis | Cluster): Promise<Redis[]> {
  if (!(redis instanceof Cluster)) return [redis];
  await redis.ping();
  return redis.nodes('master');
}
