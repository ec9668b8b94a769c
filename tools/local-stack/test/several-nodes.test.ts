import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Admin, ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, type StackNode, type StackPart, startStack } from '../src/index.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'several-nodes-'));
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
const env = { SHOPSCOPE_STACK: 'native' };
const start = () => startStack({ stateDir, cacheDir, env, nodes: 3, isTemporary: true });
const topic = 'events';

const nodeAt = (part: StackPart, port: number) => part.nodes.find((node) => node.port === port) as StackNode;
const names = ({ nodes }: StackPart) => nodes.map(({ name }) => name);

async function withMongo<T>(stack: Stack, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(stack.mongodb.url);
  return use(client).finally(() => client.close());
}

async function withKafka<T>(stack: Stack, use: (admin: Admin, kafka: Kafka) => Promise<T>): Promise<T> {
  const kafka = new Kafka({ brokers: stack.kafka.url.split(','), logLevel: logLevel.NOTHING, retry: { retries: 20 } });
  const admin = kafka.admin();
  await admin.connect();
  return use(admin, kafka).finally(() => admin.disconnect());
}

async function killed(node: StackNode): Promise<void> {
  const exited = node.exited();
  process.kill(node.pid as number, 'SIGKILL');
  expect(await exited).toBe('was ended by SIGKILL');
}

const insert = (stack: Stack, id: string) =>
  withMongo(stack, (client) => client.db('t').collection<{ _id: string }>('kept').insertOne({ _id: id }));
const kept = (stack: Stack) =>
  withMongo(stack, async (client) => {
    const found = await client.db('t').collection<{ _id: string }>('kept').find().sort({ _id: 1 }).toArray();
    return found.map(({ _id }) => _id);
  });

const statesOf = (stack: Stack) =>
  withMongo(stack, async (client) => {
    const { members } = await client.db('admin').command({ replSetGetStatus: 1 });
    return (members as { stateStr: string }[]).map(({ stateStr }) => stateStr).sort();
  });

async function produce(stack: Stack, value: string): Promise<void> {
  await withKafka(stack, async (_, kafka) => {
    const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    await producer.send({ topic, messages: [{ key: 'k', value }] });
    await producer.disconnect();
  });
}
const produced = (stack: Stack) =>
  withKafka(stack, async (admin) => Number((await admin.fetchTopicOffsets(topic))[0]?.high));

/** The id of the broker, or -1 while there is none. */
const leaderOf = (stack: Stack) =>
  withKafka(stack, async (admin) => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    return topics[0]?.partitions[0]?.leader ?? -1;
  });

describe('stack of three nodes', { timeout: 240_000, tags: ['nightly'] }, () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await start();
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }, 120_000);

  it('a stack of three nodes names every node, and its URLs name every server', async () => {
    expect(stack.parts.map(names)).toEqual([
      ['mongodb-1', 'mongodb-2', 'mongodb-3'],
      ['kafka-1', 'kafka-2', 'kafka-3'],
      ['redis-1', 'redis-2', 'sentinel-1', 'sentinel-2', 'sentinel-3'],
    ]);
    const hosts = (part: StackPart) => part.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    expect(stack.mongodb.url).toBe(`mongodb://${hosts(stack.mongodb)}/?replicaSet=rs0`);
    expect(stack.kafka.url).toBe(hosts(stack.kafka));
    expect(stack.redis.url).toMatch(/^redis\+sentinel:/);
  });

  it('a stack of three nodes stores every record of Kafka on two brokers before it acknowledges it', async () => {
    await withKafka(stack, async (admin) => {
      await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      expect(topics[0]?.partitions[0]?.replicas).toHaveLength(3);
      const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: ['min.insync.replicas'] }];
      const described = await admin.describeConfigs({ resources, includeSynonyms: false });
      expect(described.resources[0]?.configEntries[0]?.configValue).toBe('2');
    });
    await produce(stack, 'first');
  });

  it('a stack of three nodes accepts writes while the primary of MongoDB is down, and the killed member joins again', async () => {
    await insert(stack, 'before');
    const port = await withMongo(stack, async (client) => {
      const { primary } = await client.db('admin').command({ hello: 1 });
      return Number(String(primary).split(':')[1]);
    });
    const node = nodeAt(stack.mongodb, port);
    await killed(node);
    await insert(stack, 'without');
    await node.start();
    // The other members learn of it by their next heartbeats.
    await expect.poll(() => statesOf(stack)).toEqual(['PRIMARY', 'SECONDARY', 'SECONDARY']);
    expect(await kept(stack)).toEqual(['before', 'without']);
  });

  it('a stack of three nodes accepts records while the leader of a partition is down, and the killed broker joins again', async () => {
    const leader = await leaderOf(stack);
    const node = stack.kafka.nodes[leader - 1] as StackNode;
    await killed(node);
    const moved = () => leaderOf(stack).then((now) => now > 0 && now !== leader);
    await expect.poll(() => moved().catch(() => false)).toBe(true);
    await produce(stack, 'without');
    await node.start();
    expect(await produced(stack)).toBe(2);
    const { brokers } = await withKafka(stack, (admin) => admin.describeCluster());
    expect(brokers).toHaveLength(3);
  });

  it('a stack of three nodes starts on other ports with the data it had', async () => {
    const { url } = stack.mongodb;
    await stack.stop();
    stack = await start();
    expect(stack.mongodb.url).not.toBe(url);
    expect(await kept(stack)).toEqual(['before', 'without']);
    expect(await produced(stack)).toBe(2);
  });
});
