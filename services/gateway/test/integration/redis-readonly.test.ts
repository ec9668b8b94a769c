import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { startTemporaryRedis } from '@shopscope/local-stack';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backends, startBackends } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

/** A gateway whose Redis becomes a replica, as the old primary does at a switch, and then a primary again. */
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
let own: Awaited<ReturnType<typeof startTemporaryRedis>>;
let admin: Redis;
let backends: Backends;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  own = await startTemporaryRedis(cacheDir);
  admin = new Redis(own.url);
  backends = await startBackends();
  backends.addStore('shop.example');
  key = backends.addKey({ plan: { rpm: 10_000 } }).secret;
  gateway = await startTestGateway({ backends, env: { REDIS_URL: own.url } });
});
afterAll(async () => {
  await gateway?.stop();
  await backends?.stop();
  admin?.disconnect();
  await own?.stop();
});

const enrich = (name: string) =>
  call(gateway, '/v1/stores/enrich', {
    key,
    body: { domains: ['shop.example'] },
    headers: { 'Idempotency-Key': name },
  });
const healthBecomes = (status: string) =>
  expect.poll(async () => (await call(gateway, '/v1/health')).body.status).toBe(status);

it('a gateway whose Redis becomes a replica is degraded, fails only requests with an Idempotency-Key, and recovers without a restart', {
  tags: ['wall-clock'],
}, async () => {
  const name = randomUUID();
  await expect.poll(async () => (await enrich(name)).status).toBe(200);
  await admin.replicaof('127.0.0.1', '1');
  await healthBecomes('degraded');
  expect((await enrich(randomUUID())).status).toBe(503);
  expect((await call(gateway, '/v1/stores/shop.example', { key })).status).toBe(200);
  await admin.replicaof('NO', 'ONE');
  await healthBecomes('ok');
  await expect.poll(async () => (await enrich(name)).headers.get('idempotent-replayed')).toBe('true');
});

it('a gateway is degraded while its Redis is full and refuses writes, and keeps stored responses', async () => {
  const name = randomUUID();
  await expect.poll(async () => (await enrich(name)).status).toBe(200);
  await admin.config('SET', 'maxmemory', '1');
  await healthBecomes('degraded');
  await admin.config('SET', 'maxmemory', '0');
  await healthBecomes('ok');
  await expect.poll(async () => (await enrich(name)).headers.get('idempotent-replayed')).toBe('true');
});
