import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { waitUntil } from '@shopscope/testing';
import { Cluster, Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort, nativeRedisCluster, nativeRedisSentinel, type StackNode } from '../src/index.ts';

/** Several nodes of Redis as native processes: killed here, started again here. */
const stateDir = mkdtempSync(join(tmpdir(), 'redis-nodes-'));
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

async function withNode<T>({ port }: StackNode, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on('error', () => {});
  return use(redis).finally(() => redis.disconnect());
}
const roleOf = async (node: StackNode) => String((await withNode(node, (redis) => redis.role()))[0]);
const kill = async (node: StackNode) => {
  const exited = node.exited();
  process.kill(node.pid as number, 'SIGKILL');
  expect(await exited).toBe('was ended by SIGKILL');
};

describe('Redis with Sentinel', { tags: ['nightly'] }, () => {
  const start = async () => {
    const ports = {
      redis: [await freePort(), await freePort()],
      sentinel: [await freePort(), await freePort(), await freePort()],
    } as const;
    const stack = nativeRedisSentinel({ stateDir: join(stateDir, 'sentinel'), cacheDir, ports, report: () => {} });
    await stack.start();
    return stack;
  };

  it('Redis with Sentinel makes the replica the primary when the primary is killed, and keeps that across a restart on other ports', async () => {
    let stack = await start();
    try {
      const [first, second] = stack.nodes as [StackNode, StackNode];
      expect(stack.nodes.map(({ name }) => name)).toEqual([
        'redis-1',
        'redis-2',
        'sentinel-1',
        'sentinel-2',
        'sentinel-3',
      ]);
      expect([await roleOf(first), await roleOf(second)]).toEqual(['master', 'slave']);
      await withNode(first, async (redis) => [await redis.set('kept', 'yes'), await redis.wait(1, 5_000)]);

      await kill(first);
      await waitUntil('the replica to be the primary', async () => (await roleOf(second)) === 'master');
      expect(await withNode(second, (redis) => redis.get('kept'))).toBe('yes');
      await first.start();
      expect(await roleOf(first)).toBe('slave');

      await withNode(second, (redis) => redis.set('kept', 'again'));
      await stack.stop();
      stack = await start();
      const [, promoted] = stack.nodes as [StackNode, StackNode];
      expect(await roleOf(promoted)).toBe('master');
      expect(await withNode(promoted, (redis) => redis.get('kept'))).toBe('again');
    } finally {
      await stack.stop();
    }
  });
});

describe('Redis Cluster', { tags: ['nightly'] }, () => {
  const start = async () => {
    const ports = await Promise.all([1, 2, 3].map(async () => ({ redis: await freePort(), bus: await freePort() })));
    const stack = nativeRedisCluster({ stateDir: join(stateDir, 'cluster'), cacheDir, ports, report: () => {} });
    await stack.start();
    const [{ redis: port } = { redis: 0 }] = ports;
    return { stack, cluster: new Cluster([{ host: '127.0.0.1', port }], { maxRedirections: 50 }) };
  };
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

  it('Redis Cluster keeps the keys of a node that is killed and started again, and all keys across a restart on other ports', async () => {
    let { stack, cluster } = await start();
    try {
      for (const key of keys) await cluster.set(key, `value of ${key}`);
      for (const node of stack.nodes) expect(await withNode(node, (redis) => redis.dbsize())).toBeGreaterThan(0);
      const [killed, other] = stack.nodes as [StackNode, StackNode];
      await kill(killed);
      await killed.start();
      const isOk = async (node: StackNode) =>
        String(await withNode(node, (redis) => redis.cluster('INFO'))).includes('cluster_slots_ok:16384');
      await waitUntil('the cluster to be complete', async () => (await isOk(killed)) && (await isOk(other)));
      for (const key of keys) expect(await cluster.get(key)).toBe(`value of ${key}`);

      cluster.disconnect();
      await stack.stop();
      ({ stack, cluster } = await start());
      for (const key of keys) expect(await cluster.get(key)).toBe(`value of ${key}`);
    } finally {
      cluster.disconnect();
      await stack.stop();
    }
  });
});
