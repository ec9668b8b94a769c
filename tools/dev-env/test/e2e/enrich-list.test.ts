import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../../../packages/client/src/index.ts';
import { type DevEnv, startDevEnv } from '../../src/index.ts';

/** Enrichments of lists over HTTP, with every service. */
describe('an enrichment of a list', () => {
  const known = ['northwind-tea.example', 'tiny-acre-honey.example'];
  const unknown = 'never-seen-before.example';
  let env: DevEnv;
  let baseUrl: string;

  const workspace = async (plan = 'scale') => {
    const { secret } = await env.createWorkspace({ plan });
    return { secret, client: createClient({ apiKey: secret, baseUrl }) };
  };
  const newList = async (client: Client, stores: { domain: string; external_id?: string }[]) => {
    const { id } = await client.createList({ name: 'Prospects' });
    await client.addListStores(id, { stores });
    return id;
  };
  const textOf = async (secret: string, path: string, accept = 'application/json') => {
    const headers = { Authorization: `Bearer ${secret}`, Accept: accept };
    return (await fetch(`${baseUrl}${path}`, { headers })).text();
  };

  beforeAll(async () => {
    env = await startDevEnv({ label: 'enrich-list' });
    baseUrl = env.apiUrls[0] as string;
    const { client } = await workspace();
    await client.enrichStores({ domains: known, refresh: true });
    await env.settle();
  });
  afterAll(() => env?.stop());

  test('an enrichment of a list answers each store once with the bytes of getStore, and the ledger has what it billed', async () => {
    const { client, secret } = await workspace();
    const stores = [{ domain: known[0] as string, external_id: 'crm-1' }, { domain: known[1] as string }];
    const listId = await newList(client, [...stores, { domain: unknown }]);
    const quoted = await client.quoteListEnrich(listId);
    expect(quoted).toMatchObject({ matched: 2, stale: 0, unknown: 1, quote: { lookup_cached: 2, lookup_live: 0 } });
    const started = await client.enrichList(listId, { max_units: 2 });
    const job = await client.waitForJob(started.id);
    expect(job).toMatchObject({
      type: 'enrich',
      state: 'succeeded',
      domain: null,
      progress: { total: 3, done: 3, failed: 0 },
      billed: { lookup_cached: 2, lookup_live: 0 },
      expires_at: expect.any(String),
    });
    const results = await Array.fromAsync(client.getJobResults(job.id, { limit: 2 }));
    expect(results.map((result) => 'match' in result && [result.domain, result.external_id, result.match])).toEqual([
      [unknown, null, 'no_match'],
      [known[0], 'crm-1', 'matched'],
      [known[1], null, 'matched'],
    ]);
    const lines = (await textOf(secret, `/v1/jobs/${job.id}/results`, 'application/x-ndjson')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(results);
    await env.settle();
    expect((await client.getUsage()).period.used).toMatchObject({ lookup_cached: 2, lookup_live: 0 });
    const single = await textOf(secret, `/v1/stores/${known[0]}`);
    const store = single.slice(single.indexOf('"store":'), -1);
    expect(lines[1]?.endsWith(`${store}}`)).toBe(true);
  });

  test('an enrichment with refresh asks for scans, and its job is listed among the scans of the workspace', async () => {
    const { client } = await workspace();
    const listId = await newList(client, [{ domain: unknown }, { domain: known[0] as string }]);
    const { id } = await client.enrichList(listId, { refresh: true });
    const job = await client.waitForJob(id);
    expect(job.billed).toMatchObject({ lookup_cached: 1, lookup_live: 1 });
    const [scanned] = await Array.fromAsync(client.getJobResults(id));
    const scanId = scanned && 'match' in scanned ? scanned.scan_job_id : null;
    expect(scanned).toMatchObject({ domain: unknown, match: 'no_match', scan_requested: true });
    const jobs = await Array.fromAsync(client.listJobs({ limit: 1 }));
    expect(jobs.map((each) => each.id).sort()).toEqual([id, scanId].sort());
    const page = await client.listJobs({ ids: [scanId ?? '', id, 'job_unknown'] });
    expect(page.data.map((each) => each.id)).toEqual([scanId, id]);
    await env.settle();
  });

  test('a quote beyond the allowance or max_units starts no job', async () => {
    const { client } = await workspace('free');
    const listId = await newList(
      client,
      known.map((domain) => ({ domain })),
    );
    await expect(client.enrichList(listId, { max_units: 1 })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^max_units: /),
    });
    const many = await newList(
      client,
      Array.from({ length: 26 }, (_, n) => ({ domain: `unseen-${n}.example` })),
    );
    await expect(client.enrichList(many, { refresh: true })).rejects.toMatchObject({
      code: 'payment_required',
      unit: 'lookup_live',
      resetAt: expect.any(String),
    });
    expect((await client.listJobs()).data).toEqual([]);
  });
});
