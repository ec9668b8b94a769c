import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../src/index.ts';
import { type ApiClient, apiClient } from './client.ts';

/** Jobs over all services. A domain is visited once in the test, so its second scan stays queued until it is canceled. */
describe('scan jobs', () => {
  let env: DevEnv;
  let domain: string;
  let mongo: MongoClient;

  beforeAll(async () => {
    env = await startDevEnv({ label: 'jobs', gateways: 2, meterings: 2, env: { VISIT_INTERVAL_MS: '3600000' } });
    domain = env.demoStores.domains[0]?.domain ?? '';
    mongo = await MongoClient.connect(env.data.mongoUrl);
  });
  afterAll(async () => {
    await mongo?.close();
    await env?.stop();
  });

  const forgetResponses = async () => {
    const redis = new Redis(env.data.redisUrl);
    const names = await redis.keys(`${env.data.redisKeyPrefix}idem:*`);
    if (names.length > 0) await redis.del(...names);
    redis.disconnect();
  };
  const workspace = async () => {
    const { workspaceId, secret } = await env.createWorkspace();
    const [one, two] = env.apiUrls.map((url) => apiClient(url, secret)) as [ApiClient, ApiClient];
    const post = (path: string) => one.post(path);
    const usedBecomes = (used: object) =>
      expect.poll(async () => (await two.get('/v1/usage')).body.period.used, { interval: 200 }).toMatchObject(used);
    return { workspaceId, one, two, post, usedBecomes };
  };

  it('a scan job exists on every instance when a response has its id, and has a result after its end', async () => {
    const { one, two, usedBecomes } = await workspace();
    const enriched = await one.enrich({ domains: [domain, 'no-such-shop.example'], refresh: true });
    const ids = enriched.body.results.map((result: { scan_job_id: string }) => result.scan_job_id);
    const jobs = await Promise.all(ids.flatMap((id: string) => [one, two].map((api) => api.get(`/v1/jobs/${id}`))));
    expect(jobs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await env.settle();
    const [seen, unseen] = await Promise.all(ids.map((id: string) => two.get(`/v1/jobs/${id}`)));
    expect(seen?.body).toMatchObject({ state: 'succeeded', attempts: 1, error: null, billed: { lookup_live: 1 } });
    expect(unseen?.body).toMatchObject({ state: 'failed', error: { code: expect.any(String) } });
    const listed = await two.get('/v1/jobs');
    expect(listed.body.data.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    expect((await two.get(`/v1/jobs/${ids[0]}/results`)).body.data).toEqual([
      { domain, state: 'succeeded', error: null },
    ]);
    await usedBecomes({ lookup_live: 2, refresh_requested: 0 });
  });

  it('an explicit scan is billed once, shared physically, and given back when it is canceled while queued', async () => {
    const [a, b] = await Promise.all([workspace(), workspace()]);
    const key = { 'Idempotency-Key': 'scan-of-the-first' };
    const asked = await a.one.post(`/v1/stores/${domain}/scans`, key);
    expect([asked.status, asked.body.state]).toEqual([202, 'queued']);
    const path = `/v1/jobs/${asked.body.id}`;
    await expect.poll(async () => (await a.two.get('/v1/jobs?state=queued')).body.data).toHaveLength(1);
    await a.usedBecomes({ refresh_requested: 1 });
    // The caller's own job is joined as soon as its request is consumed.
    expect((await a.post(`/v1/stores/${domain}/scans`)).body.id).toBe(asked.body.id);
    const other = await b.post(`/v1/stores/${domain}/scans`);
    expect(other.body.id).not.toBe(asked.body.id);
    await b.usedBecomes({ refresh_requested: 1 });
    const scans = mongo.db(env.data.databaseName('scan_scheduler')).collection('scans');
    expect(await scans.countDocuments({ domain, live: true })).toBe(1);

    expect((await b.post(`${path}/cancel`)).status).toBe(404);
    const canceled = await a.post(`${path}/cancel`);
    expect(canceled.body).toMatchObject({ state: 'canceled', billed: { refresh_requested: 0 } });
    await a.usedBecomes({ refresh_requested: 0 });
    expect((await a.post(`${path}/cancel`)).body).toEqual(canceled.body);
    // The same request, whose stored response is lost, has the same job and bills nothing: see the ledger below.
    await forgetResponses();
    const again = await a.two.post(`/v1/stores/${domain}/scans`, key);
    expect([again.status, again.body]).toEqual([202, canceled.body]);
    expect((await b.one.get(`/v1/jobs/${other.body.id}`)).body).toMatchObject({ state: 'queued' });
    expect(await scans.countDocuments({ domain, live: true })).toBe(1);
    await b.usedBecomes({ refresh_requested: 1 });

    await b.post(`/v1/jobs/${other.body.id}/cancel`);
    expect(await scans.countDocuments({ domain, live: true })).toBe(0);
    await b.usedBecomes({ refresh_requested: 0 });
    await env.settle();
    const ledger = mongo.db(env.data.databaseName('metering')).collection('ledger');
    for (const { workspaceId } of [a, b]) {
      const kinds = (await ledger.find({ workspaceId }).toArray()).map(({ kind }) => kind);
      expect(kinds.sort()).toEqual(['charge', 'refund']);
    }
  });

  it('an enrich job that is canceled gives lookup_live back, whichever of its events is first, unless its scan has begun', async () => {
    const { one, post, usedBecomes } = await workspace();
    const enriched = await one.enrich({ domains: [domain], refresh: true });
    // The profile is fresh, so nothing was queued.
    expect(enriched.body.results[0].scan_job_id).toBeNull();
    const domains = Array.from({ length: 8 }, (_, n) => `canceled-${n}.example`);
    const asked = await one.enrich({ domains, refresh: true });
    const ids: string[] = asked.body.results.map((result: { scan_job_id: string }) => result.scan_job_id);
    const canceled = await Promise.all(ids.map((id) => post(`/v1/jobs/${id}/cancel`)));
    const billed = canceled.reduce((sum, { body }) => sum + body.billed.lookup_live, 0);
    // Those that a scanner had begun stay billed.
    expect(billed).toBeLessThan(8);
    await usedBecomes({ lookup_live: billed });
    await env.settle();
    await usedBecomes({ lookup_live: billed });
  });
});
