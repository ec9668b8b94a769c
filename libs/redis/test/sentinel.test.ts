import { resolve } from 'node:path';
import { startTemporarySentinel } from '@shopscope/local-stack';
import { createRedis, defineScript, type Redis } from '@shopscope/redis';
import { redisOptions, silentTelemetry, testNamespace, waitUntil } from '@shopscope/testing';
import { Redis as IoRedis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';

const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
let own: Awaited<ReturnType<typeof startTemporarySentinel>>;
let redis: Redis;
const count = defineScript({ name: 'count', lua: "return redis.call('INCR', KEYS[1])" });
const { registry, logger } = silentTelemetry();

beforeAll(async () => {
  own = await startTemporarySentinel(cacheDir);
  const { url: _, ...options } = redisOptions(testNamespace('sentinel'));
  redis = createRedis({ ...options, sentinels: own.sentinels, primaryName: 'shopscope', registry, logger });
  await waitUntil('Redis', () => redis.available);
});
afterAll(async () => {
  await redis?.close();
  await own?.stop();
});

const roleOf = async (index: number) => {
  const client = new IoRedis(own.nodes[index]?.port as number, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  return (await client.role().finally(() => client.disconnect()))[0] as string;
};
/** The next count. While there is no primary, calls fail. */
const counted = () =>
  waitUntil('a script to be run', () => count(redis, ['counted'], []).catch(() => undefined) as Promise<number>, {
    intervalMs: 50,
  });

it('the Redis client follows a planned failover, a killed primary and a primary that returns as a replica', {
  tags: ['wall-clock'],
}, async () => {
  expect(await counted()).toBe(1);
  const sentinel = new IoRedis(own.sentinels[0]?.port as number);
  await sentinel.call('SENTINEL', 'FAILOVER', 'shopscope').finally(() => sentinel.disconnect());
  await waitUntil('the replica to be the primary', async () => (await roleOf(1)) === 'master');
  await waitUntil('the old primary to be a replica', async () => (await roleOf(0)) === 'slave');
  await waitUntil('Redis to be available', () => redis.available);
  expect(await counted()).toBe(2);

  // The replica has the data, and every Sentinel knows the new primary.
  await waitUntil('the replica to be connected', async () => (await redis.client.wait(1, 1_000)) === 1);
  const [, killed] = own.nodes;
  process.kill(killed?.pid as number, 'SIGKILL');
  await waitUntil('Redis to be unavailable', () => !redis.available);
  await waitUntil('the replica to be the primary', async () => (await roleOf(0)) === 'master');
  await waitUntil('Redis to be available', () => redis.available);
  expect(await counted()).toBe(3);
  await killed?.start();
  expect([await roleOf(0), await roleOf(1)]).toEqual(['master', 'slave']);
  const changes = (await registry.getSingleMetric('redis_primary_changes_total')?.get())?.values[0]?.value;
  expect(changes).toBeGreaterThanOrEqual(2);
});
