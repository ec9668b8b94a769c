import { resolve } from 'node:path';
import { startTemporaryRedis } from '@shopscope/local-stack';
import { createRedis, defineScript, type Redis } from '@shopscope/redis';
import {
  redisOptions,
  silentTelemetry,
  startTcpProxy,
  type TcpProxy,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { Redis as IoRedis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** The one server becomes a replica, as the old primary does at a switch, and then a primary again. */
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
let own: Awaited<ReturnType<typeof startTemporaryRedis>>;
/** A connection that stays when the server becomes a replica. */
let admin: IoRedis;
let proxy: TcpProxy;
let redis: Redis;
const { registry, logger } = silentTelemetry();
const count = defineScript({ name: 'count', lua: "return redis.call('INCR', KEYS[1])" });
const available = (state: boolean) =>
  waitUntil(`redis.available to be ${state}`, () => redis.available === state, { intervalMs: 5 });

beforeAll(async () => {
  own = await startTemporaryRedis(cacheDir);
  admin = new IoRedis(own.url);
  proxy = await startTcpProxy(new URL(own.url));
});
afterAll(async () => {
  await redis?.close();
  await proxy?.close();
  admin?.disconnect();
  await own?.stop();
});

const connect = async (heartbeatMs: number) => {
  await redis?.close();
  redis = createRedis({
    ...redisOptions(testNamespace('replica')),
    url: `redis://127.0.0.1:${proxy.port}`,
    heartbeatMs,
    registry,
    logger,
  });
  await available(true);
};
const replicaMetric = async () => (await registry.getSingleMetric('redis_replica')?.get())?.values[0]?.value;

it('the Redis client is unavailable while its server is a replica, connects anew, and works when the server is the primary', async () => {
  await connect(20);
  const connections = proxy.connections;
  await admin.replicaof('127.0.0.1', '1');
  await available(false);
  await waitUntil('a new connection', () => proxy.connections > connections);
  expect(await replicaMetric()).toBe(1);
  await admin.replicaof('NO', 'ONE');
  await available(true);
  expect([await count(redis, ['written'], []), await replicaMetric()]).toEqual([1, 0]);
});

it('the Redis client connects anew when a replica refuses a script, without waiting for a heartbeat', async () => {
  await connect(3_600_000);
  const connections = proxy.connections;
  await admin.replicaof('127.0.0.1', '1');
  await expect(count(redis, ['refused'], [])).rejects.toThrow('READONLY');
  await waitUntil('a new connection', () => proxy.connections > connections);
  await waitUntil('the client to be connected', () => redis.client.status === 'ready');
  expect(redis.available).toBe(false);
  await admin.replicaof('NO', 'ONE');
});
