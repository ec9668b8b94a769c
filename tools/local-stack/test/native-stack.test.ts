import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPortFree, type Stack, startStack } from '../src/index.ts';

/** The three real servers as native processes: started here, killed here, started again here. */
const stateDir = mkdtempSync(join(tmpdir(), 'local-stack-'));
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
const start = () => startStack({ stateDir, cacheDir, env: { SHOPSCOPE_STACK: 'native' } });

const isAlive = (pid: number | null) => {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
};
const portOf = (url: string) => Number(/:(\d+)/.exec(url.replace(/^\w+:/, ''))?.[1]);

async function withMongo<T>(stack: Stack, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(stack.mongodb.url, { serverSelectionTimeoutMS: 10_000 });
  return use(client).finally(() => client.close());
}

async function withRedis<T>(stack: Stack, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(stack.redis.url);
  return use(redis).finally(() => redis.disconnect());
}

describe('native stack', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await start();
  }, 120_000);
  afterAll(async () => {
    await stack?.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });

  it('the native stack has a replica set, so that transactions work', async () => {
    const count = await withMongo(stack, async (client) => {
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await client.db('t').collection('a').insertOne({ n: 1 }, { session });
          await client.db('t').collection('b').insertOne({ n: 1 }, { session });
        }),
      );
      return client.db('t').collection('b').countDocuments();
    });
    expect(count).toBe(1);
  });

  it('the native stack has a Redis that keeps what it acknowledged and evicts nothing', async () => {
    const settings = await withRedis(stack, async (redis) => {
      const read = async (name: string) => ((await redis.config('GET', name)) as string[])[1];
      return [await read('appendonly'), await read('appendfsync'), await read('maxmemory-policy')];
    });
    expect(settings).toEqual(['yes', 'everysec', 'noeviction']);
  });

  it('the native stack has a Kafka that serves groups at once and makes no topic by accident', async () => {
    const kafka = new Kafka({ brokers: [stack.kafka.url], logLevel: logLevel.NOTHING, retry: { retries: 0 } });
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'events', numPartitions: 1 }] });
    await expect(admin.fetchOffsets({ groupId: 'somebody', topics: ['events'] })).resolves.toHaveLength(1);
    await expect(admin.fetchTopicMetadata({ topics: ['typing-error'] })).rejects.toThrow();
    await admin.disconnect();
  });

  it('the native stack bounds the memory of Kafka', () => {
    const commandLine = readFileSync(`/proc/${stack.kafka.nodes[0]?.pid}/cmdline`, 'utf8').split('\0');
    expect(commandLine).toContain('-Xmx512m');
  });

  it('the native stack reports that a server has ended, and starts it again with its data', async () => {
    await withRedis(stack, (redis) => redis.set('kept', 'yes'));
    for (const node of [...stack.mongodb.nodes, ...stack.redis.nodes]) {
      const { pid } = node;
      const exited = node.exited();
      process.kill(pid as number, 'SIGKILL');
      expect(await exited).toBe('was ended by SIGKILL');
      await node.start();
      expect(node.pid).not.toBe(pid);
      expect(isAlive(node.pid)).toBe(true);
    }
    expect(await withRedis(stack, (redis) => redis.get('kept'))).toBe('yes');
    expect(await withMongo(stack, (client) => client.db('t').collection('a').countDocuments())).toBe(1);
  });

  it('the native stack stops without leaving a process', async () => {
    const nodes = stack.parts.flatMap(({ nodes }) => nodes);
    expect(nodes.map(({ name }) => name)).toEqual(['mongodb', 'kafka', 'redis']);
    const pids = nodes.map(({ pid }) => pid);
    const ports = nodes.map(({ port }) => port);
    expect(ports).toEqual(stack.parts.map(({ url }) => portOf(url)));
    expect(pids.every(isAlive)).toBe(true);
    await stack.stop();
    expect(pids.some(isAlive)).toBe(false);
    expect(await Promise.all(ports.map(isPortFree))).toEqual([true, true, true]);
  }, 120_000);

  it('the native stack starts on other ports with the data it had, and Kafka with the classes that an earlier broker has stored', {
    tags: ['nightly'],
    timeout: 120_000,
  }, async () => {
    const ports = stack.parts.map(({ url }) => portOf(url));
    stack = await start();
    expect(stack.parts.map(({ url }) => portOf(url))).not.toEqual(ports);
    expect(await withMongo(stack, (client) => client.db('t').collection('a').countDocuments())).toBe(1);
    expect(await withRedis(stack, (redis) => redis.get('kept'))).toBe('yes');
    const admin = new Kafka({ brokers: [stack.kafka.url], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    expect(await admin.listTopics()).toContain('events');
    await admin.disconnect();
    const commandLine = readFileSync(`/proc/${stack.kafka.nodes[0]?.pid}/cmdline`, 'utf8').split('\0');
    const [path = ''] = commandLine.flatMap((arg) => /^-XX:SharedArchiveFile=(.*)$/.exec(arg)?.[1] ?? []);
    expect(readFileSync(`/proc/${stack.kafka.nodes[0]?.pid}/maps`, 'utf8')).toContain(path);
    expect(path).not.toBe('');
  });
});
