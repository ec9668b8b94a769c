import { type GetStoresRequest, type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorAnswers } from '../../src/contract/errors.ts';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;

beforeAll(async () => {
  gateway = await startTestGateway();
  usage = await collectEvents(gateway.namespace, usageRecorded.live);
});
afterAll(async () => {
  await usage.stop();
  await gateway.stop();
});

beforeEach(() => gateway.backends.faults.clear());

const eventsOf = (workspaceId: string) => usage.events.filter(({ event }) => event.workspaceId === workspaceId);

describe('GET /v1/stores/{domain}', () => {
  it('a look-up returns the store’s bytes as profiles stores them, and bills one lookup_cached with a durable event', async () => {
    const { secret, workspaceId, keyId } = gateway.backends.addKey();
    const bytes = gateway.backends.addStore('shop.example');
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const answer = await call(gateway, '/v1/stores/shop.example', {
      key: secret,
      headers: { 'X-Request-Id': 'my-request-1', traceparent },
    });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'getStore');
    expect(answer.text).toBe(`{"match":"matched","store":${bytes}}`);
    await expect.poll(() => eventsOf(workspaceId).length).toBe(1);
    await gateway.backends.metering.counted(workspaceId, { lookupCached: 1 });
    const [{ event, meta } = { event: undefined, meta: undefined }] = eventsOf(workspaceId);
    expect(event).toMatchObject({
      keyId,
      attempt: 1,
      operation: 'getStore',
      units: { lookupCached: 1, lookupLive: 0 },
    });
    expect(meta).toEqual({ requestId: 'my-request-1', traceparent, environment: 'live' });
  });

  it('a look-up returns the limits, the remaining units and how long the answer may be cached', async () => {
    const { secret } = gateway.backends.addKey();
    gateway.backends.addStore('shop.example');
    const { headers } = await call(gateway, '/v1/stores/shop.example', { key: secret });
    expect(headers.get('x-ratelimit-limit')).toBe('600');
    expect(headers.get('x-ratelimit-remaining')).toBe('599');
    const reset = Number(headers.get('x-ratelimit-reset'));
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit-policy')).toBe('"minute";q=600;w=60');
    expect(headers.get('ratelimit')).toBe(`"minute";r=599;t=${reset}`);
    expect(headers.get('x-usage-remaining')).toBe('249999');
    expect(headers.get('cache-control')).toBe('private, max-age=60');
    expect(headers.get('vary')).toBe('Authorization');
    expect(headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
    expect(headers.has('retry-after')).toBe(false);
  });

  it('a look-up answers 304 to the tag of a paid answer without a charge and without a call of metering', async () => {
    const { secret, workspaceId } = gateway.backends.addKey();
    gateway.backends.addStore('shop.example');
    const etag = (await call(gateway, '/v1/stores/shop.example', { key: secret })).headers.get('etag') as string;
    gateway.backends.forgetCalls();
    const answer = await call(gateway, '/v1/stores/shop.example', {
      key: secret,
      headers: { 'If-None-Match': `"older", W/${etag}` },
    });
    expect([answer.status, answer.text]).toEqual([304, '']);
    expect(answer.headers.get('etag')).toBe(etag);
    expect(answer.headers.get('cache-control')).toBe('private, max-age=60');
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    expect((await gateway.backends.metering.balanceOf(workspaceId)).taken.lookupCached).toBe(1);
    const other = await call(gateway, '/v1/stores/shop.example', {
      key: secret,
      headers: { 'If-None-Match': '"old"' },
    });
    expect(other.status).toBe(200);
  });

  it('a look-up bills a request whose If-None-Match has only *, a stored tag or a tag of another workspace', async () => {
    const stored = '"the-hash-of-the-body"';
    gateway.backends.addStore('shop.example', { etag: stored });
    const paid = await call(gateway, '/v1/stores/shop.example', { key: gateway.backends.addKey().secret });
    const { secret, workspaceId } = gateway.backends.addKey();
    const guesses = [
      ...['*', ' * ', '"x", *', 'W/*', '"*"', '""', ''],
      ...[stored, `W/${stored}`, paid.headers.get('etag') as string],
      Array.from({ length: 500 }, (_, n) => `"guess-${n}"`).join(','),
    ];
    for (const [n, guess] of guesses.entries()) {
      const headers = { 'If-None-Match': guess };
      const answer = await call(gateway, '/v1/stores/shop.example', { key: secret, headers });
      expect([guess.slice(0, 60), answer.status]).toEqual([guess.slice(0, 60), 200]);
      expect(answer.headers.get('x-usage-remaining')).toBe(String(250_000 - n - 1));
    }
    await gateway.backends.metering.used(workspaceId, { lookupCached: guesses.length });
  });

  it('a look-up of an unknown domain is 404 not_found, and bills nothing', async () => {
    const { secret, workspaceId } = gateway.backends.addKey();
    gateway.backends.forgetCalls();
    const answer = await call(gateway, '/v1/stores/unknown.example', { key: secret });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    expect(answer.body.error.message).toBe(errorAnswers.not_found.message);
    expect(answer.body.error.message).toContain('POST /v1/stores/enrich with refresh true');
    fitsContract(answer, 'getStore');
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    expect(eventsOf(workspaceId)).toHaveLength(0);
  });

  it('a look-up says matched for a stale store too', async () => {
    const { secret } = gateway.backends.addKey({ plan: { freshnessDays: 0 } });
    gateway.backends.addStore('shop.example');
    expect((await call(gateway, '/v1/stores/shop.example', { key: secret })).body.match).toBe('matched');
  });

  it.each([
    'SHOP.example',
    'www.shop.example',
    'shop.example.',
    'shop.example:8443',
    'https%3A%2F%2Fwww.shop.example%2Fproducts%3Fpage%3D2',
    'http%3A%2F%2Fshop.example',
    '%20shop.example',
  ])('a look-up canonicalizes %s to the registrable domain', async (input) => {
    const { secret } = gateway.backends.addKey();
    gateway.backends.addStore('shop.example');
    const answer = await call(gateway, `/v1/stores/${input}`, { key: secret });
    expect(answer.status).toBe(200);
    expect(answer.body.store.domain).toBe('shop.example');
  });

  it('a look-up keeps every *.myshopify.com apart and reads IDN as A-labels', async () => {
    const { secret } = gateway.backends.addKey();
    gateway.backends.addStore('one.myshopify.com');
    gateway.backends.addStore('xn--bcher-kva.example');
    expect((await call(gateway, '/v1/stores/one.myshopify.com', { key: secret })).status).toBe(200);
    expect((await call(gateway, '/v1/stores/two.myshopify.com', { key: secret })).status).toBe(404);
    const idn = await call(gateway, `/v1/stores/${encodeURIComponent('Bücher.example')}`, { key: secret });
    expect(idn.body.store.domain).toBe('xn--bcher-kva.example');
  });

  it.each([
    '127.0.0.1',
    '%5B::1%5D',
    'localhost',
    'co.uk',
    'ab',
    'a'.repeat(300),
    'under_score.example',
    'ftp%3A%2F%2Fshop.example',
  ])('a look-up rejects %s with 400 and the name of the parameter', async (input) => {
    const { secret } = gateway.backends.addKey();
    const answer = await call(gateway, `/v1/stores/${input}`, { key: secret });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain('domain');
  });

  it('a look-up is 403 without read:stores, and 402 with reset_at and unit when the allowance is spent', async () => {
    gateway.backends.addStore('shop.example');
    const { secret } = gateway.backends.addKey({ scopes: ['read:jobs'] });
    const refused = await call(gateway, '/v1/stores/shop.example', { key: secret });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden_scope']);
    expect(refused.body.error.message).toContain('read:stores');

    const included = { lookupCached: 1, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };
    const { secret: poor } = gateway.backends.addKey({ plan: { included } });
    const last = await call(gateway, '/v1/stores/shop.example', { key: poor });
    expect([last.status, last.headers.get('x-usage-remaining')]).toEqual([200, '0']);
    const spent = await call(gateway, '/v1/stores/shop.example', { key: poor });
    expect(spent.status).toBe(402);
    fitsContract(spent, 'getStore');
    expect(spent.body.error).toMatchObject({
      code: 'payment_required',
      unit: 'lookup_cached',
      reset_at: new Date(gateway.backends.metering.period.endMs).toISOString(),
    });
    expect(spent.headers.get('x-usage-remaining')).toBe('0');
  });

  it('simultaneous look-ups combine their reads and charges into few calls', async () => {
    const { secret } = gateway.backends.addKey({ plan: { concurrency: 200 } });
    for (let i = 0; i < 40; i++) gateway.backends.addStore(`shop-${i}.example`);
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => call(gateway, `/v1/stores/shop-${i}.example`, { key: secret })),
    );
    gateway.backends.forgetCalls();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => call(gateway, `/v1/stores/shop-${i}.example`, { key: secret })),
    );
    expect(answers.map(({ body }) => body.store.domain)).toEqual(
      Array.from({ length: 40 }, (_, i) => `shop-${i}.example`),
    );
    const lookUps = gateway.backends.calls<GetStoresRequest>('getStores');
    expect(lookUps.length).toBeLessThan(20);
    expect(lookUps.flatMap(({ domains }) => domains).length).toBe(40);
    expect(gateway.backends.calls('reserve').length).toBeLessThan(20);
  });

  it('a look-up answers internal, bills nothing and names no service when profiles is unavailable', async () => {
    const { backends } = gateway;
    const { secret, workspaceId } = backends.addKey();
    backends.faults.set('getStores', () => {
      throw new Error('ECONNREFUSED profiles.internal:50052');
    });
    const answer = await call(gateway, '/v1/stores/shop.example', { key: secret });
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    expect(answer.text).not.toMatch(/profiles|ECONN|50052|at /);
    expect((await backends.metering.balanceOf(workspaceId)).taken.lookupCached).toBe(0);
  });
});
