import { hourMs } from '@shopscope/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../src/index.ts';
import { type ApiClient, apiClient } from './client.ts';

/**
 * One store through the public API, on real servers: the unknown store is requested, scanned, read, changed and scanned
 * again. Usage equals the units that the responses reported as billed.
 */
describe('the public API, for one store', () => {
  let env: DevEnv;
  let api: ApiClient;
  let domain: string;
  const billed = { lookup_cached: 0, lookup_live: 0 };
  let historyQueries = 0;
  const sixHoursMs = 6 * hourMs;

  const enrich = async (body: unknown, headers?: Record<string, string>) => {
    const answer = await api.enrich(body, headers);
    if (answer.status === 200 && !answer.headers.has('idempotent-replayed')) {
      billed.lookup_cached += answer.body.billed.lookup_cached;
      billed.lookup_live += answer.body.billed.lookup_live;
    }
    return answer;
  };
  const read = async () => {
    const answer = await api.get(`/v1/stores/${domain}`);
    if (answer.status === 200) billed.lookup_cached += 1;
    return answer;
  };
  const usage = async () => {
    await env.settle();
    return (await api.get('/v1/usage')).body;
  };

  beforeAll(async () => {
    env = await startDevEnv({ label: 'story', tls: true });
    const { plans } = await env.keys.listPlans({});
    const scale = plans.find((plan) => plan.slug === 'scale');
    if (!scale) throw new Error('there is no plan scale');
    await env.keys.putPlan({ plan: { ...scale, slug: 'always_stale', freshnessDays: 0 }, actor: 'operator:test' });
    const workspace = await env.createWorkspace({ plan: 'always_stale' });
    api = apiClient(env.apiUrls[0] as string, workspace.secret);
    domain = env.demoStores.domains.find((store) => store.platform === 'shopify')?.domain ?? '';
  });
  afterAll(() => env?.stop());

  it('a domain outside the corpus is 404, and bills nothing', async () => {
    const answer = await read();
    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({ code: 'not_found', request_id: answer.headers.get('x-request-id') });
    expect((await usage()).period.used).toEqual({
      lookup_cached: 0,
      lookup_live: 0,
      history_query: 0,
      refresh_requested: 0,
    });
  });

  it('an enrich request with refresh queues a scan and bills one lookup_live', async () => {
    const answer = await enrich({ domains: [domain], refresh: true });
    expect(answer.status).toBe(200);
    expect(answer.body.billed).toEqual({ lookup_cached: 0, lookup_live: 1 });
    expect(answer.body.results[0]).toMatchObject({
      input: domain,
      match: 'no_match',
      reason: 'not_in_corpus',
      scan_requested: true,
      store: null,
    });
    expect(answer.body.results[0].scan_job_id).toMatch(/^job_/);
  });

  it('an enrich request without refresh bills no lookup_live after a scan was requested', async () => {
    const answer = await enrich({ domains: [domain, domain] });
    expect(answer.status).toBe(200);
    expect(answer.body.billed.lookup_live).toBe(0);
  });

  it('the profile of a store has platform, technologies and catalogue after the job has ended', async () => {
    await env.settle();
    const answer = await read();
    expect(answer.status).toBe(200);
    expect(answer.body.match).toBe('matched');
    const store = answer.body.store;
    expect(store).toMatchObject({
      domain,
      storefront_host: expect.any(String),
      platform: { slug: 'shopify', name: 'Shopify', confidence: 'high' },
      status: { state: 'active_storefront' },
      observation: {
        scope: 'full',
        coverage_note: expect.stringMatching(/^Looked at: the home page, the product listing/),
      },
      recent_signals: [],
    });
    expect(store.catalog.product_count).toBeGreaterThan(0);
    expect(store.catalog.price_range.p75).toBeGreaterThanOrEqual(store.catalog.price_range.p25);
    const slugs = store.technologies.map((entry: { slug: string }) => entry.slug);
    expect(slugs.length).toBeGreaterThan(0);
    expect(slugs).not.toContain('shopify');
    expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/);
  });

  it('a store has identical bodies until the next completed observation, and 304 bills nothing', async () => {
    const first = await read();
    const second = await read();
    expect(second.text).toBe(first.text);
    const before = (await usage()).period.used.lookup_cached;
    const unchanged = await api.get(`/v1/stores/${domain}`, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect(unchanged.status).toBe(304);
    expect((await usage()).period.used.lookup_cached).toBe(before);
  });

  it('an app that the next scan detects has a signal and an install date', async () => {
    const before = (await read()).body.store;
    expect(before.technologies.some((entry: { slug: string }) => entry.slug === 'hotjar')).toBe(false);
    env.demoStores.setApps(domain, { add: ['hotjar'] });
    const answer = await enrich({ domains: [domain], refresh: true });
    expect(answer.body.results[0]).toMatchObject({ match: 'stale', reason: null, scan_requested: true });
    expect(answer.body.results[0].store.domain).toBe(domain);
    expect(answer.body.billed).toEqual({ lookup_cached: 1, lookup_live: 1 });
    await env.settle();
    const store = (await read()).body.store;
    const entry = store.technologies.find((technology: { slug: string }) => technology.slug === 'hotjar');
    expect(entry.first_observed_at).toBe(store.observation.last_completed_scan_at);
    expect(entry.first_observed_at > before.observation.last_completed_scan_at).toBe(true);
    expect(store.recent_signals).toEqual([
      expect.objectContaining({
        type: 'technology_added',
        technology: 'hotjar',
        from: null,
        id: expect.stringMatching(/^evt_/),
      }),
    ]);
  });

  const scanAgain = async () => {
    await enrich({ domains: [domain], refresh: true });
    await env.settle();
    return (await read()).body.store;
  };
  const hotjarOf = ({ technologies }: { technologies: { slug: string; first_observed_at: string }[] }) =>
    technologies.find(({ slug }) => slug === 'hotjar');
  let installedAt: string | undefined;

  it('the removal of an app is confirmed only after two scans without it that lie six hours apart', async () => {
    env.demoStores.setApps(domain, { remove: ['hotjar'] });
    const once = await scanAgain();
    installedAt = hotjarOf(once)?.first_observed_at;
    expect(installedAt).toBeDefined();
    const from = new Date(Date.parse(once.observation.last_completed_scan_at) + sixHoursMs).toISOString();
    expect(once.observation.coverage_note).toContain(
      `the removal of hotjar. A full scan from ${from} on can confirm it.`,
    );
    const soon = await scanAgain();
    expect(hotjarOf(soon)).toBeDefined();
    expect(soon.observation.coverage_note).toContain(from);
    env.passTime(sixHoursMs);
    const late = await scanAgain();
    expect(hotjarOf(late)).toBeUndefined();
    const removed = late.recent_signals.find((signal: { type: string }) => signal.type === 'technology_removed');
    expect(removed).toMatchObject({ technology: 'hotjar', effective_at: once.observation.last_completed_scan_at });
  });

  it('a removal is retracted when the next scan detects the app: the app keeps its dates, and the history has the removal on request', async () => {
    const etag = (await read()).headers.get('etag');
    env.demoStores.setApps(domain, { add: ['hotjar'] });
    const store = await scanAgain();
    expect(hotjarOf(store)?.first_observed_at).toBe(installedAt);
    expect(store.recent_signals.map(({ type }: { type: string }) => type)).toEqual(['technology_added']);
    expect((await read()).headers.get('etag')).not.toBe(etag);
    const historyOf = async (query: string) => {
      const { status, body } = await api.get(`/v1/stores/${domain}/history?${query}`);
      expect(status).toBe(200);
      if (body.data.length > 0) historyQueries += 1;
      return body.data.map((signal: Record<string, string>) => [
        signal.type,
        signal.retracted_at,
        signal.retracted_reason,
      ]);
    };
    const at = store.observation.last_completed_scan_at;
    const added = ['technology_added', null, null];
    const retracted = ['technology_removed', at, 'technology_seen_again'];
    expect(await historyOf('')).toEqual([added]);
    expect(await historyOf('include=retracted')).toEqual([retracted, added]);
    expect(await historyOf(`retracted_from=${at}`)).toEqual([retracted]);
    expect(await historyOf(`retracted_to=${installedAt}`)).toEqual([]);
  });

  it('an idempotent request is replayed byte for byte and billed once', async () => {
    const headers = { 'idempotency-key': 'story-of-a-store-1' };
    const first = await enrich({ domains: [domain, 'unknown-to-all.example'] }, headers);
    const replay = await enrich({ domains: [domain, 'unknown-to-all.example'] }, headers);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay.text).toBe(first.text);
    const other = await enrich({ domains: ['another.example'] }, headers);
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
  });

  it('usage has exactly the units that responses reported as billed', async () => {
    const report = await usage();
    expect(report.period.used).toEqual({ ...billed, history_query: historyQueries, refresh_requested: 0 });
    expect(report.by_key).toHaveLength(1);
    expect(report.by_key[0].used).toEqual(report.period.used);
    const account = (await api.get('/v1/account')).body;
    expect(account.period.used).toEqual(report.period.used);
  });
});
