import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Stack, startStack } from '@shopscope/local-stack';
import { createRedis, type Redis } from '@shopscope/redis';
import { silentTelemetry, startTcpProxy, type TcpProxy, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startBackends } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

/** A gateway with a Redis for limits, which can become unavailable, and another one for stored responses. */
const stateDir = mkdtempSync(join(tmpdir(), 'two-redises-'));
const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
const patient = { interval: 50, timeout: 60_000 };
let second: Stack;
let admin: Redis;
let limits: TcpProxy;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  // Only Redis is started. The names of the other servers are not used.
  const external = { SHOPSCOPE_STACK: 'native', SHOPSCOPE_MONGODB_URL: 'unused', SHOPSCOPE_KAFKA_BROKERS: 'unused' };
  second = await startStack({ stateDir, cacheDir, env: external });
  admin = createRedis({ url: second.redis.url, keyPrefix: '', ...silentTelemetry() });
  await waitUntil('the second Redis to be available', () => admin.available);
  const backends = await startBackends();
  limits = await startTcpProxy(new URL(backends.namespace.redisUrl));
  const env = { REDIS_URL: `redis://127.0.0.1:${limits.port}`, IDEMPOTENCY_REDIS_URL: second.redis.url };
  gateway = await startTestGateway({ backends, env });
  key = backends.addKey({ plan: { rpm: 10_000 } }).secret;
  backends.addStore('shop.example');
}, 240_000);
afterAll(async () => {
  await gateway?.stop();
  await gateway?.backends.stop();
  await limits?.close();
  await admin?.close();
  await second?.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

const enrich = (name?: string) =>
  call(gateway, '/v1/stores/enrich', {
    key,
    body: { domains: ['shop.example'] },
    headers: name === undefined ? {} : { 'Idempotency-Key': name },
  });
const metrics = async () => (await fetch(`${gateway.service.adminUrl}/metrics`)).text();
const decidedBy = async (by: 'redis' | 'local') =>
  Number(
    new RegExp(`gateway_admissions_total\\{[^}]*outcome="admitted"[^}]*by="${by}"[^}]*\\} (\\d+)`).exec(
      await metrics(),
    )?.[1] ?? 0,
  );
const healthBecomes = (status: string) =>
  expect.poll(async () => (await call(gateway, '/v1/health')).body.status, patient).toBe(status);

it('responses are stored in their own Redis, and each Redis has its own metrics', async () => {
  const name = randomUUID();
  const first = await enrich(name);
  const again = await enrich(name);
  expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', first.text]);
  expect(await admin.client.dbsize()).toBeGreaterThan(0);
  const text = await metrics();
  for (const use of ['limits', 'idempotency']) {
    expect(text).toMatch(new RegExp(`redis_available\\{[^}]*use="${use}"[^}]*\\} 1`));
  }
});

it('a full Redis of stored responses refuses only new Idempotency-Keys: stored responses replay, and limits stay exact', async () => {
  const kept = randomUUID();
  const stored = await enrich(kept);
  await admin.client.config('SET', 'maxmemory', '1');
  const before = await decidedBy('local');
  for (let i = 0; i < 5; i++) {
    const refused = await enrich(randomUUID());
    expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
    const again = await enrich(kept);
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', stored.text]);
    expect((await enrich()).status).toBe(200);
  }
  expect(await decidedBy('local')).toBe(before);
  await admin.client.config('SET', 'maxmemory', '0');
  await vi.waitFor(async () => expect((await enrich(randomUUID())).status).toBe(200), patient);
});

it('requests with an Idempotency-Key are executed once and replayed while the Redis of the limits is unavailable', async () => {
  await limits.refuse();
  await healthBecomes('degraded');
  const name = randomUUID();
  const first = await enrich(name);
  const again = await enrich(name);
  expect([first.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([200, 'true', first.text]);
  expect(await decidedBy('local')).toBeGreaterThan(0);
  await limits.accept();
  await healthBecomes('ok');
});

it('health is degraded while the Redis of stored responses is unavailable, and limits stay exact', {
  tags: ['wall-clock'],
}, async () => {
  const before = await decidedBy('local');
  const pid = second.redis.nodes[0]?.pid as number;
  process.kill(pid, 'SIGSTOP');
  try {
    await healthBecomes('degraded');
    expect((await enrich(randomUUID())).status).toBe(503);
    expect((await enrich()).status).toBe(200);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await healthBecomes('ok');
  expect(await decidedBy('local')).toBe(before);
});
