import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Clock, hourMs, systemClock } from '@shopscope/clock';
import { startTemporaryCluster } from '@shopscope/local-stack';
import { createRedis } from '@shopscope/redis';
import { redisOptions, waitUntil } from '@shopscope/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { totalKeysOf } from '../../src/idempotency/total-bytes.ts';
import { type Backends, startBackends } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

/** A gateway on Redis Cluster, which refuses every script whose keys are in two slots. */
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
let own: Awaited<ReturnType<typeof startTemporaryCluster>>;
let backends: Backends;
let gateway: TestGateway;
let keys: string[];
let REDIS_URL: string;

beforeAll(async () => {
  own = await startTemporaryCluster(cacheDir);
  backends = await startBackends();
  backends.addStore('shop.example');
  const workspaces = Array.from({ length: 12 }, () => backends.addKey({ plan: { rpm: 10_000, concurrency: 100 } }));
  keys = workspaces.map(({ secret }) => secret);
  // Pauses between renewals are a fiftieth of their length.
  const clock = { ...systemClock, sleep: (ms: number, abort?: AbortSignal) => systemClock.sleep(ms / 50, abort) };
  REDIS_URL = `redis+cluster://${own.addresses.map(({ host, port }) => `${host}:${port}`).join(',')}`;
  gateway = await startTestGateway({ backends, clock, env: { REDIS_URL } });
});
afterAll(async () => {
  await gateway?.stop();
  await backends?.stop();
  await own?.stop();
});

const read = (key: string) => call(gateway, '/v1/stores/shop.example', { key });
const enrich = (key: string, name: string, at = gateway) =>
  call(at, '/v1/stores/enrich', {
    key,
    body: { domains: ['shop.example'] },
    headers: { 'Idempotency-Key': name },
  });
const admissions = async (by: 'redis' | 'local') => {
  const text = await (await fetch(`${gateway.service.adminUrl}/metrics`)).text();
  return Number(new RegExp(`gateway_admissions_total\\{[^}]*by="${by}"[^}]*\\} (\\d+)`).exec(text)?.[1] ?? 0);
};

it('a gateway that stops has counted the responses that it stored in the total of Redis Cluster', async () => {
  const { url: _, ...options } = redisOptions(backends.namespace);
  const redis = createRedis({ ...options, cluster: own.addresses });
  await waitUntil('Redis Cluster', () => redis.available);
  const countedBytes = async () => {
    const counts = await Promise.all(totalKeysOf(redis).map((key) => redis.client.hgetall(key)));
    return counts.flatMap((each) => Object.values(each)).reduce((sum, bytes) => sum + Number(bytes), 0);
  };
  // The total is counted at the start and then not again.
  const sleep: Clock['sleep'] = (ms, abort) => systemClock.sleep(ms > 1_000 ? hourMs : ms, abort);
  const stopping = await startTestGateway({ backends, clock: { ...systemClock, sleep }, env: { REDIS_URL } });
  const store = () => enrich(keys[0] as string, randomUUID(), stopping);
  await expect.poll(async () => (await store()).status).toBe(200);
  expect(await countedBytes()).toBe(0);
  await stopping.stop();
  expect(await countedBytes()).toBeGreaterThan(0);
  await redis.close();
});

it('a gateway on Redis Cluster decides every request with Redis, renews slots, and stores and replays responses', async () => {
  await expect.poll(async () => (await enrich(keys[0] as string, randomUUID())).status).toBe(200);
  const local = await admissions('local');
  const held = gateway.backends.hold('getStores');
  const reads = Promise.all(keys.map(read));
  await expect.poll(() => gateway.backends.calls('getStores').length).toBeGreaterThanOrEqual(1);
  held.release();
  expect((await reads).map(({ status }) => status)).toEqual(keys.map(() => 200));
  for (const key of keys) {
    const name = randomUUID();
    const first = await enrich(key, name);
    const again = await enrich(key, name);
    expect([first.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([200, 'true', first.text]);
  }
  expect(await admissions('local')).toBe(local);
});

it('a gateway is degraded while any node of Redis Cluster is full and refuses writes', {
  tags: ['wall-clock'],
}, async () => {
  for (const { port } of own.nodes) {
    const admin = new Redis(port);
    onTestFinished(() => admin.disconnect());
    await admin.config('SET', 'maxmemory', '1');
    await expect
      .poll(async () => (await call(gateway, '/v1/health')).body.status, { message: `${port} is full` })
      .toBe('degraded');
    await admin.config('SET', 'maxmemory', '0');
    await expect.poll(async () => (await call(gateway, '/v1/health')).body.status).toBe('ok');
  }
});

it('a killed node of Redis Cluster fails no request without an Idempotency-Key, and those of the other nodes are still stored', {
  tags: ['wall-clock'],
}, async () => {
  const [killed] = own.nodes;
  process.kill(killed?.pid as number, 'SIGKILL');
  await expect.poll(async () => (await call(gateway, '/v1/health')).body.status).toBe('degraded');
  expect((await Promise.all(keys.map(read))).map(({ status }) => status)).toEqual(keys.map(() => 200));
  const statuses = await Promise.all(keys.map(async (key) => (await enrich(key, randomUUID())).status));
  expect([...new Set(statuses)].sort()).toEqual([200, 503]);
  await killed?.start();
  await expect.poll(async () => (await call(gateway, '/v1/health')).body.status).toBe('ok');
  await expect
    .poll(async () => new Set(await Promise.all(keys.map(async (key) => (await enrich(key, randomUUID())).status))))
    .toEqual(new Set([200]));
});
