import { KeyStatus, type Technology } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

describe('GET /v1/account', () => {
  it('GET /v1/account shows the key, the workspace, the plan with its limits and quotas, and the included and used units', async () => {
    const expiresAtMs = Date.now() + 3_600_000;
    const { secret, keyId, workspaceId } = gateway.backends.addKey({
      label: 'Production',
      expiresAtMs,
      scopes: ['read:jobs'],
    });
    await gateway.backends.metering.spend({ workspaceId, keyId }, { lookupCached: 7 });
    const { startMs, endMs } = gateway.backends.metering.period;
    const answer = await call(gateway, '/v1/account', { key: secret });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'getAccount');
    expect(answer.body).toEqual({
      key: {
        id: keyId,
        label: 'Production',
        prefix: secret.slice(0, 13),
        environment: 'live',
        scopes: ['read:jobs'],
        expires_at: new Date(expiresAtMs).toISOString(),
      },
      workspace: { id: workspaceId, name: 'Test workspace' },
      plan: {
        slug: 'growth',
        limits: {
          concurrency: 20,
          enrich_batch_max: 100,
          freshness_days: 7,
          history_days: 365,
          live_refreshes_per_period: 5_000,
          rpm: 600,
        },
        quotas: { lists: 100, list_stores: 250_000, watchlists: 50, watched_stores: 25_000, webhooks: 20 },
      },
      period: {
        starts_at: new Date(startMs).toISOString(),
        ends_at: new Date(endMs).toISOString(),
        included: { history_query: 25_000, lookup_cached: 250_000, lookup_live: 5_000, refresh_requested: 5_000 },
        used: { history_query: 0, lookup_cached: 7, lookup_live: 0, refresh_requested: 0 },
      },
    });
    // The header is absent when metering takes longer than 150 ms.
    const again = () => call(gateway, '/v1/account', { key: secret });
    await expect.poll(async () => (await again()).headers.get('x-usage-remaining')).toBe('249993');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('GET /v1/account shows expires_at null for a key without expiry, needs no scope and bills nothing', async () => {
    const { secret } = gateway.backends.addKey({ scopes: [] });
    gateway.backends.forgetCalls();
    const answer = await call(gateway, '/v1/account', { key: secret });
    expect(answer.body.key.expires_at).toBeNull();
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
  });
});

describe('GET /v1/usage', () => {
  it('GET /v1/usage lists active keys and keys that spent units, and their rows add up to the total', async () => {
    const first = gateway.backends.addKey({ label: 'first' });
    const { workspaceId } = first;
    const idle = gateway.backends.addKey({ label: 'idle', workspaceId });
    const spent = gateway.backends.addKey({ label: 'revoked, spent', workspaceId, status: KeyStatus.REVOKED });
    const unspent = gateway.backends.addKey({ label: 'revoked, unspent', workspaceId, status: KeyStatus.REVOKED });
    const other = gateway.backends.addKey({ label: 'of another workspace' });
    const { metering } = gateway.backends;
    await metering.spend(first, { lookupCached: 20, lookupLive: 1 });
    await metering.spend(spent, { lookupCached: 9, lookupLive: 3 });
    await metering.spend({ workspaceId, keyId: 'key_forgotten' }, { lookupCached: 1 });

    const answer = await call(gateway, '/v1/usage', { key: first.secret });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'getUsage');
    const rows = answer.body.by_key as { key_id: string; label: string; used: Record<string, number> }[];
    expect(Object.fromEntries(rows.map(({ key_id, label }) => [key_id, label]))).toEqual({
      [first.keyId]: 'first',
      [idle.keyId]: 'idle',
      [spent.keyId]: 'revoked, spent',
      key_forgotten: 'key_forgotten',
    });
    expect(rows.map(({ key_id }) => key_id)).not.toContain(unspent.keyId);
    expect(rows.map(({ key_id }) => key_id)).not.toContain(other.keyId);
    const sum = (unit: string) => rows.reduce((total, { used }) => total + (used[unit] ?? 0), 0);
    const used = { history_query: 0, lookup_cached: 30, lookup_live: 4, refresh_requested: 0 };
    expect(answer.body.period.used).toEqual(used);
    expect({ ...used, lookup_cached: sum('lookup_cached'), lookup_live: sum('lookup_live') }).toEqual(used);
  });
});

describe('GET /v1/technologies', () => {
  const vocabulary: Technology[] = Array.from({ length: 120 }, (_, i) => {
    const slug = `tech-${String(i).padStart(3, '0')}`;
    const kind = ['platform', 'app', 'service', 'theme'][i % 4] as string;
    return {
      slug,
      name: `Tech ${i}`,
      kind,
      category: i < 60 ? 'email-marketing' : 'reviews',
      vendor: 'Vendor',
      website: 'https://vendor.example/',
      listingUrl: `https://shopscope.test/technologies/${slug}`,
    };
  });
  let key: string;
  beforeAll(() => {
    gateway.backends.technologies.push(...vocabulary);
    key = gateway.backends.addKey({ plan: { rpm: 10_000 } }).secret;
  });
  const page = (query: string) => call(gateway, `/v1/technologies${query}`, { key });

  it('GET /v1/technologies returns the complete list by next_cursor, 50 entries a page by default', async () => {
    const slugs: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await page(cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`);
      fitsContract(answer, 'listTechnologies');
      slugs.push(...answer.body.data.map(({ slug }: { slug: string }) => slug));
      sizes.push(answer.body.data.length);
      cursor = answer.body.next_cursor;
    }
    expect(slugs).toEqual(vocabulary.map(({ slug }) => slug));
    expect(sizes).toEqual([50, 50, 20]);
  });

  it('GET /v1/technologies returns entries with slug, name, kind, category, vendor, website, listing_url and stores', async () => {
    const answer = await page('?limit=1');
    expect(answer.body.data[0]).toEqual({
      slug: 'tech-000',
      name: 'Tech 0',
      kind: 'platform',
      category: 'email-marketing',
      vendor: 'Vendor',
      website: 'https://vendor.example/',
      listing_url: 'https://shopscope.test/technologies/tech-000',
      stores: null,
    });
  });

  it('GET /v1/technologies/{slug} returns one entry, and 404 for a slug that the vocabulary does not have', async () => {
    const one = await call(gateway, '/v1/technologies/tech-001', { key });
    fitsContract(one, 'getTechnology');
    const entry = (await page('?limit=2')).body.data[1];
    const unknown = { by_platform: null, by_country: null, by_industry: null, found_beside: null, edition: null };
    expect(one.body).toEqual({ ...entry, ...unknown });
    const none = await call(gateway, '/v1/technologies/unheard-of', { key });
    expect([none.status, none.body.error.message]).toEqual([404, 'The vocabulary has no such technology.']);
    const invalid = await call(gateway, `/v1/technologies/${'a'.repeat(101)}`, { key });
    expect([invalid.status, invalid.body.error.message]).toEqual([400, expect.stringMatching(/^slug: /)]);
  });

  it('GET /v1/technologies filters by kind, by category and by the prefix q', async () => {
    expect((await page('?kind=theme&limit=200')).body.data).toHaveLength(30);
    expect((await page('?category=reviews&limit=200')).body.data).toHaveLength(60);
    expect((await page('?q=TECH+1')).body.data.length).toBeGreaterThan(10);
    expect((await page('?q=tech-11')).body.data).toHaveLength(10);
  });

  it('GET /v1/technologies accepts a limit from 1 to 200, a q of 2 to 64 characters and one of four kinds only', async () => {
    for (const query of [
      '?limit=1',
      '?limit=200',
      '?q=ab',
      `?q=${'a'.repeat(64)}`,
      '?kind=platform',
      '?kind=service',
    ]) {
      expect((await page(query)).status, query).toBe(200);
    }
    for (const query of [
      '?limit=0',
      '?limit=201',
      '?limit=-1',
      '?q=a',
      `?q=${'a'.repeat(65)}`,
      '?kind=Platform',
      '?kind=',
      '?category=',
    ]) {
      const answer = await page(query);
      expect([answer.status, answer.body.error.code], query).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain(/\?(\w+)/.exec(query)?.[1]);
    }
  });

  it('GET /v1/technologies rejects a tampered or foreign cursor with 400, and accepts one after another limit', async () => {
    const { body } = await page('?category=reviews&limit=10');
    const cursor = encodeURIComponent(body.next_cursor);
    expect((await page(`?category=reviews&limit=20&cursor=${cursor}`)).status).toBe(200);
    for (const query of [
      `?cursor=${cursor}`,
      `?category=email-marketing&cursor=${cursor}`,
      `?category=reviews&q=te&cursor=${cursor}`,
      `?category=reviews&cursor=${cursor}x`,
      '?cursor=nonsense',
    ]) {
      const answer = await page(query);
      expect(answer.status, query).toBe(400);
      expect(answer.body.error.message).toContain('cursor');
    }
  });

  it('GET /v1/technologies bills nothing and requires the scope read:stores', async () => {
    gateway.backends.forgetCalls();
    await page('');
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    const { secret } = gateway.backends.addKey({ scopes: ['read:signals'] });
    expect((await call(gateway, '/v1/technologies', { key: secret })).body.error.code).toBe('forbidden_scope');
  });
});
