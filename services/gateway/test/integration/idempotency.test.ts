import { randomBytes, randomUUID } from 'node:crypto';
import { type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestKey } from './support/backends.ts';
import {
  collectEvents,
  forgetIdempotency,
  openTestRedis,
  startTestGateway,
  type TestGateway,
} from './support/gateway.ts';
import { call } from './support/http.ts';

let gateway: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;
let key: TestKey;

beforeAll(async () => {
  gateway = await startTestGateway();
  usage = await collectEvents(gateway.namespace, usageRecorded.live);
});
afterAll(async () => {
  await usage.stop();
  await gateway.stop();
});
beforeEach(() => {
  gateway.backends.faults.clear();
  gateway.backends.forgetCalls();
  key = gateway.backends.addKey();
  gateway.backends.addStore('shop.example');
});

const body = { domains: ['shop.example', 'unknown.example'], refresh: true };
const enrich = (
  idempotencyKey: string,
  sent: unknown = body,
  headers: Record<string, string> = {},
  at: Pick<TestGateway, 'url'> = gateway,
) =>
  call(at, '/v1/stores/enrich', {
    key: key.secret,
    body: sent,
    headers: { 'Idempotency-Key': idempotencyKey, ...headers },
  });
const usageOf = () => usage.events.filter(({ event }) => event.workspaceId === key.workspaceId);

describe('Idempotency-Key', () => {
  it('a repeated Idempotency-Key returns the first answer byte for byte, says so, and bills nothing', async () => {
    const name = randomUUID();
    const first = await enrich(name, body, { 'X-Request-Id': 'first-request' });
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    const again = await enrich(name, '{ "refresh" : true, "domains":["shop.example","unknown.example"] }', {
      'X-Request-Id': 'second-request',
    });
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.body.request_id).toBe('first-request');
    expect(again.headers.get('x-request-id')).toBe('second-request');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-usage-remaining')).toBe(first.headers.get('x-usage-remaining'));
    expect(gateway.backends.calls('reserve')).toHaveLength(1);
    await expect.poll(() => usageOf().length).toBe(1);
  });

  it('an Idempotency-Key with a different body is 409 conflict, and the first answer stays', async () => {
    const name = randomUUID();
    const first = await enrich(name);
    const other = await enrich(name, { domains: ['shop.example'] });
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
    expect((await enrich(name)).text).toBe(first.text);
    expect(usageOf().length).toBeLessThanOrEqual(1);
  });

  it('an Idempotency-Key has 8 to 128 characters', async () => {
    for (const name of ['12345678', 'x'.repeat(128), 'with spaces & signs!']) {
      expect((await enrich(name, { domains: [] })).status, name).toBe(200);
    }
    for (const name of ['1234567', 'x'.repeat(129), '']) {
      const answer = await enrich(name, { domains: [] });
      expect([answer.status, answer.body.error.code], name).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain('Idempotency-Key');
    }
  });

  it('an Idempotency-Key belongs to its workspace: the same key of another workspace is another request', async () => {
    const name = randomUUID();
    await enrich(name);
    key = gateway.backends.addKey();
    const other = await enrich(name, { domains: ['shop.example'] });
    expect([other.status, other.headers.has('idempotent-replayed')]).toEqual([200, false]);
  });

  it('an Idempotency-Key is shared by the API keys of a workspace', async () => {
    const name = randomUUID();
    const first = await enrich(name);
    key = gateway.backends.addKey({ workspaceId: key.workspaceId });
    const again = await enrich(name);
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', first.text]);
  });

  it('an Idempotency-Key of a failed request is free for the retry, because a 5xx is not stored', async () => {
    const name = randomUUID();
    gateway.backends.faults.set('getStores', () => {
      throw new Error('away');
    });
    expect((await enrich(name)).status).toBe(500);
    gateway.backends.faults.clear();
    const retry = await enrich(name);
    expect([retry.status, retry.headers.has('idempotent-replayed')]).toEqual([200, false]);
  });

  it('simultaneous requests with one Idempotency-Key execute once: the others wait and repeat the answer', async () => {
    const name = randomUUID();
    const profiles = gateway.backends.hold('getStores');
    const twins = Array.from({ length: 8 }, () => enrich(name));
    await waitUntil('the requests to be in flight', async () => (await gateway.service.pending()) === twins.length);
    await gateway.backends.called('getStores');
    profiles.release();
    const answers = await Promise.all(twins);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(7);
    expect(gateway.backends.calls('reserve')).toHaveLength(1);
    await expect.poll(() => usageOf().length).toBe(1);
  });

  it('of two simultaneous requests with one Idempotency-Key and different bodies, one executes and the other gets 409', async () => {
    const name = randomUUID();
    const profiles = gateway.backends.hold('getStores');
    const first = enrich(name);
    await gateway.backends.called('getStores');
    // The first cannot end before it is released.
    expect((await enrich(name, { domains: [] })).status).toBe(409);
    profiles.release();
    expect((await first).status).toBe(200);
  });

  it('an Idempotency-Key names the charge: a retry after Redis lost the answer is billed once, with the recorded units', async () => {
    const name = randomUUID();
    const first = await enrich(name);
    expect(first.body.billed).toEqual({ lookup_cached: 1, lookup_live: 1 });
    await gateway.backends.metering.counted(key.workspaceId, { lookupCached: 1, lookupLive: 1 });
    await forgetIdempotency(gateway.namespace);
    // The domain has become known since; the charge is what it was.
    gateway.backends.addStore('unknown.example');
    const again = await enrich(name);
    expect([again.status, again.headers.has('idempotent-replayed')]).toEqual([200, false]);
    expect(again.body.billed).toEqual({ lookup_cached: 1, lookup_live: 1 });
    await expect.poll(() => usageOf().length).toBe(1);
    gateway.backends.stores.delete('unknown.example');
    await gateway.backends.metering.counted(key.workspaceId, { lookupCached: 1, lookupLive: 1 });

    await forgetIdempotency(gateway.namespace);
    const other = await enrich(name, { domains: ['shop.example'] });
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
  });

  it('an Idempotency-Key of an unbilled request is known to metering, so another body is 409 without the stored answer', async () => {
    const name = randomUUID();
    expect((await enrich(name, { domains: ['unknown.example'] })).body.billed).toEqual({
      lookup_cached: 0,
      lookup_live: 0,
    });
    expect(gateway.backends.calls('reserve')).toHaveLength(1);
    await forgetIdempotency(gateway.namespace);
    expect((await enrich(name, { domains: ['shop.example'] })).status).toBe(409);
  });

  it('an Idempotency-Key does not exempt a replay from the rate limit', async () => {
    key = gateway.backends.addKey({ plan: { rpm: 2 } });
    const name = randomUUID();
    await enrich(name);
    expect((await enrich(name)).headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await enrich(name)).status).toBe(429);
  });

  it('an Idempotency-Key repeats a large answer byte for byte', async () => {
    const domains = Array.from({ length: 60 }, (_, i) => `big-${i}.example`);
    for (const domain of domains) gateway.backends.addStore(domain);
    const name = randomUUID();
    const first = await enrich(name, { domains });
    const again = await enrich(name, { domains });
    expect(first.text.length).toBeGreaterThan(50_000);
    expect(again.text).toBe(first.text);
  });

  it('an Idempotency-Key is 503 unavailable beyond the workspace’s space for stored responses, which still replay', async () => {
    const tight = await startTestGateway({
      backends: gateway.backends,
      env: { IDEMPOTENCY_MAX_BYTES: '500' },
    });
    const name = randomUUID();
    const isReplayed = async () => (await enrich(name, body, {}, tight)).headers.get('idempotent-replayed');
    // The gateway also sends a response that a busy Redis did not store in time.
    await expect.poll(isReplayed).toBe('true');
    const refused = await enrich(randomUUID(), body, {}, tight);
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    await expect.poll(isReplayed).toBe('true');
    const refusedFully = async () => {
      await enrich(randomUUID(), body, {}, tight);
      return (await fetch(`${tight.service.adminUrl}/metrics`)).text();
    };
    await expect.poll(refusedFully).toMatch(/gateway_idempotent_requests_total\{[^}]*outcome="full"[^}]*\} [1-9]/);
    await tight.stop();
  });

  it('an Idempotency-Key keeps an unbilled answer too, byte for byte and compressed', async () => {
    const domains = Array.from({ length: 100 }, (_, i) => `${'no-domain/'.repeat(200)}${i}`);
    const name = randomUUID();
    const first = await enrich(name, { domains });
    expect(first.body.billed).toEqual({ lookup_cached: 0, lookup_live: 0 });
    expect(first.text.length).toBeGreaterThan(200_000);
    const again = await enrich(name, { domains });
    expect([again.headers.get('idempotent-replayed'), again.text === first.text]).toEqual(['true', true]);
    expect(await countedBytes(`idem:{${key.workspaceId}}:bytes`)).toBeLessThan(20_000);
  });

  it('an Idempotency-Key of the heaviest workspace is 503 beyond the space of all workspaces, and a light one works', async () => {
    const heavy = key;
    // Random, so that compression gains little.
    const batch = () => ({ domains: Array.from({ length: 60 }, () => randomBytes(1_500).toString('base64url')) });
    const kept = { name: randomUUID(), body: batch() };
    const first = await enrich(kept.name, kept.body);
    for (let i = 0; i < 2; i++) expect((await enrich(randomUUID(), batch())).status).toBe(200);
    const total = await countedBytes('idem:bytes');
    expect(await countedBytes(`idem:{${heavy.workspaceId}}:bytes`)).toBeGreaterThan(total / 2);

    const tight = await startTestGateway({
      backends: gateway.backends,
      env: { IDEMPOTENCY_TOTAL_MAX_BYTES: String(total) },
    });
    const refused = await enrich(randomUUID(), { domains: [] }, {}, tight);
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    const replayed = await enrich(kept.name, kept.body, {}, tight);
    expect([replayed.headers.get('idempotent-replayed'), replayed.text === first.text]).toEqual(['true', true]);
    expect((await call(tight, '/v1/stores/enrich', { key: heavy.secret, body })).status).toBe(200);

    key = gateway.backends.addKey();
    const light = randomUUID();
    const answer = await enrich(light, body, {}, tight);
    expect([answer.status, answer.body.billed]).toEqual([200, { lookup_cached: 1, lookup_live: 1 }]);
    expect((await enrich(light, body, {}, tight)).text).toBe(answer.text);
    const metrics = await (await fetch(`${tight.service.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/gateway_idempotent_requests_total\{[^}]*outcome="total_full"[^}]*\} 1/);
    await tight.stop();
  });
});

it('a request with an Idempotency-Key is 503 unavailable without Redis before any side effect, and others succeed', async () => {
  const lonely = await startTestGateway({
    backends: gateway.backends,
    env: { REDIS_URL: 'redis://127.0.0.1:1' },
  });
  gateway.backends.forgetCalls();
  const refused = await enrich(randomUUID(), body, {}, lonely);
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'unavailable',
    '1',
  ]);
  expect(gateway.backends.calls('claimScans')).toHaveLength(0);
  expect((await call(lonely, '/v1/stores/enrich', { key: key.secret, body })).status).toBe(200);
  expect((await call(lonely, '/v1/health')).body.status).toBe('degraded');
  await lonely.stop();
});

/** The sum of the bytes that a key counts by hour. */
async function countedBytes(name: string): Promise<number> {
  const redis = await openTestRedis(gateway.namespace);
  const counts = await redis.client.hvals(name);
  await redis.close();
  return counts.reduce((sum, bytes) => sum + Number(bytes), 0);
}
