import { JobState } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DevEnv, startDevEnv } from '../../src/index.ts';
import { type ApiClient, apiClient } from './client.ts';

/**
 * State that two gateways and two metering instances must share: allowances, limits, revocations, plans and stored responses.
 * The servers are real. Only the number of instances differs from production.
 */
describe('two instances of gateway and metering', () => {
  let env: DevEnv;
  let domain: string;

  const planNamed = async (slug: string, change: object) => {
    const { plans } = await env.keys.listPlans({});
    const scale = plans.find((plan) => plan.slug === 'scale');
    if (!scale) throw new Error('there is no plan scale');
    await env.keys.putPlan({ plan: { ...scale, slug, ...change }, actor: 'operator:test' });
    return slug;
  };
  const clientsOf = (secret: string): ApiClient[] => env.apiUrls.map((url) => apiClient(url, secret));

  beforeAll(async () => {
    env = await startDevEnv({ label: 'shared', gateways: 2, meterings: 2 });
    domain = env.demoStores.domains.find((store) => store.platform === 'woocommerce')?.domain ?? '';
    const { secret } = await env.createWorkspace();
    await apiClient(env.apiUrls[0] as string, secret).enrich({ domains: [domain], refresh: true });
    await env.settle();
  });
  afterAll(() => env?.stop());

  it('two gateways never exceed the allowance, and bill every unit that they allowed', async () => {
    const included = { lookupCached: 40, lookupLive: 5, historyQuery: 0, refreshRequested: 0 };
    const plan = await planNamed('forty_look_ups', { included });
    const { secret } = await env.createWorkspace({ plan });
    const [one, two] = clientsOf(secret) as [ApiClient, ApiClient];
    const path = `/v1/stores/${domain}`;
    // 503: the last units may still be lent to the other gateway. Such a request can be sent again, until their lease has ended.
    const answerOf = (client: ApiClient) =>
      vi.waitFor(
        async () => {
          const answer = await client.get(path);
          expect(answer.status).not.toBe(503);
          return answer;
        },
        { timeout: 60_000, interval: 100 },
      );
    const answers = await Promise.all(Array.from({ length: 45 }, (_, n) => answerOf(n % 2 === 0 ? one : two)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.filter((status) => status === 402)).toHaveLength(5);
    const refused = answers.find((answer) => answer.status === 402);
    expect(refused?.body.error).toMatchObject({ code: 'payment_required', unit: 'lookup_cached' });
    expect(refused?.body.error.message).toMatch(/^This request needs 1 lookup_cached; none are left of 40 until 2/);
    await env.settle();
    expect((await two.get('/v1/usage')).body.period.used.lookup_cached).toBe(40);
  });

  it('a batch that exceeds the allowance is refused as a whole, and bills nothing', async () => {
    const included = { lookupCached: 3, lookupLive: 1, historyQuery: 0, refreshRequested: 0 };
    const { secret } = await env.createWorkspace({ plan: await planNamed('three_look_ups', { included }) });
    const [api] = clientsOf(secret) as [ApiClient];
    const tooMany = await api.enrich({ domains: [domain, domain, domain, domain] });
    expect(tooMany.status).toBe(402);
    expect(tooMany.body.error.message).toBe(
      `This request needs 4 lookup_cached; 3 are left of 3 until ${tooMany.body.error.reset_at}.`,
    );
    const twoScans = await api.enrich({ domains: ['one-new.example', 'two-new.example'], refresh: true });
    expect([twoScans.status, twoScans.body.error.unit]).toEqual([402, 'lookup_live']);
    const oneScan = await api.enrich({ domains: ['one-new.example'], refresh: true });
    expect(oneScan.body.billed).toEqual({ lookup_cached: 0, lookup_live: 1 });
    await env.settle();
    expect((await api.get('/v1/usage')).body.period.used).toMatchObject({ lookup_cached: 0, lookup_live: 1 });
  });

  it('two gateways together admit exactly the requests per minute of the plan', async () => {
    const { secret } = await env.createWorkspace({ plan: await planNamed('ten_a_minute', { rpm: 10 }) });
    const [one, two] = clientsOf(secret) as [ApiClient, ApiClient];
    const windowOf = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-reset'));
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? one : two).get('/v1/account')),
    );
    const admitted = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => answer.status === 429);
    // All requests are in one window, unless a new minute began. The header with the remaining seconds shows that.
    const turned = Math.max(...answers.map(windowOf)) - Math.min(...answers.map(windowOf)) > 30;
    expect(admitted.length).toBe(turned ? admitted.length : 10);
    for (const answer of refused) {
      expect(answer.body.error.code).toBe('rate_limited');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('every gateway refuses a revoked key soon after the revocation', async () => {
    const { workspaceId, secret, keyId } = await env.createWorkspace();
    const clients = clientsOf(secret);
    for (const client of clients) expect((await client.get('/v1/account')).status).toBe(200);
    await env.keys.revokeKey({ workspaceId, keyId, actor: 'operator:test', actorAddress: '' });
    for (const client of clients) {
      await vi.waitFor(async () => expect((await client.get('/v1/account')).status).toBe(401), { timeout: 60_000 });
    }
  });

  it('every gateway applies a change of plan without a restart', async () => {
    const { workspaceId, secret } = await env.createWorkspace({ plan: 'free' });
    const clients = clientsOf(secret);
    for (const client of clients) expect((await client.get('/v1/account')).body.plan.slug).toBe('free');
    await env.keys.setWorkspacePlan({ workspaceId, planSlug: 'growth', actor: 'operator:test' });
    for (const client of clients) {
      await vi.waitFor(
        async () => expect((await client.get('/v1/account')).body.plan.limits.enrich_batch_max).toBe(100),
        { timeout: 60_000 },
      );
    }
  });

  it("every gateway applies the increase and the decrease of a plan's allowance within a minute", async () => {
    const included = { lookupCached: 1, lookupLive: 1, historyQuery: 0, refreshRequested: 0 };
    const plan = await planNamed('changing', { included });
    const { secret } = await env.createWorkspace({ plan });
    const clients = clientsOf(secret);
    const statuses = () =>
      Promise.all(clients.map(async (client) => (await client.get(`/v1/stores/${domain}`)).status));
    expect((await statuses()).toSorted()).toEqual([200, 402]);
    await planNamed('changing', { included: { ...included, lookupCached: 1_000 } });
    await vi.waitFor(async () => expect(await statuses()).toEqual([200, 200]), { timeout: 60_000, interval: 500 });
    await planNamed('changing', { included });
    await vi.waitFor(async () => expect(await statuses()).toEqual([402, 402]), { timeout: 60_000, interval: 500 });
  });

  it('two gateways return one response to simultaneous requests under one Idempotency-Key, and bill them once', async () => {
    const { secret } = await env.createWorkspace();
    const [one, two] = clientsOf(secret) as [ApiClient, ApiClient];
    const headers = { 'idempotency-key': 'twins-at-two-gateways' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? one : two).enrich({ domains: [domain] }, headers)),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => !answer.headers.has('idempotent-replayed'))).toHaveLength(1);
    await env.settle();
    expect((await one.get('/v1/usage')).body.period.used.lookup_cached).toBe(1);
  });

  it('two workspaces share one scan, and each pays for its own job and sees only that job', async () => {
    const store = env.demoStores.domains.find((candidate) => candidate.platform === 'prestashop');
    const wanted = store?.domain ?? '';
    const [first, second] = [await env.createWorkspace(), await env.createWorkspace()];
    const [one] = clientsOf(first.secret) as [ApiClient];
    const [two] = clientsOf(second.secret) as [ApiClient];
    const [a, b] = await Promise.all([
      one.enrich({ domains: [wanted], refresh: true }),
      two.enrich({ domains: [wanted], refresh: true }),
    ]);
    expect([a.body.billed.lookup_live, b.body.billed.lookup_live]).toEqual([1, 1]);
    const [jobA, jobB] = [a, b].map((answer) => answer.body.results[0].scan_job_id as string) as [string, string];
    expect(jobA).not.toBe(jobB);
    await env.settle();
    expect((await env.scans.getJob({ workspaceId: first.workspaceId, jobId: jobA })).job?.state).toBe(
      JobState.SUCCEEDED,
    );
    await expect(env.scans.getJob({ workspaceId: first.workspaceId, jobId: jobB })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(env.demoStores.requestsOf(wanted).filter((line) => line.endsWith(' /')).length).toBeLessThanOrEqual(1);
  });
});
