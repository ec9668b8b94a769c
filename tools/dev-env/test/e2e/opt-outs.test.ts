import { minuteMs } from '@shopscope/clock';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../src/index.ts';
import { type Answer, type ApiClient, apiClient } from './client.ts';

/** An operator opts a store out while a caller walks an edition, and later withdraws the opt-out. */
describe('the opt-out of a store', () => {
  let env: DevEnv;
  let api: ApiClient;
  let secret: string;
  let domains: string[];
  let gone: string;
  let other: string;
  const actor = 'operator:test';

  const post = async (path: string, body: unknown): Promise<Answer> => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${env.apiUrls[0]}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };
  const search = (cursor: string | null = null) => post('/v1/stores/search', { limit: 1, cursor });
  /** Reads the pages from a cursor on. */
  const walk = async (from: string | null) => {
    const found: string[] = [];
    let billed = 0;
    for (let cursor = from; cursor !== null; ) {
      const { status, body } = await search(cursor);
      expect(status).toBe(200);
      found.push(...body.data.map((row: { domain: string }) => row.domain));
      billed += body.billed.lookup_cached;
      cursor = body.next_cursor;
    }
    return { found, billed };
  };
  const found = async () => {
    const first = await search();
    const rest = await walk(first.body.next_cursor);
    return [...first.body.data.map((row: { domain: string }) => row.domain), ...rest.found];
  };
  const scan = async (...asked: string[]) => {
    await api.enrich({ domains: asked, refresh: true });
    await env.settle(180_000);
  };
  const page = (path: string) => fetch(`${env.dashboard?.url}${path}`);

  beforeAll(async () => {
    env = await startDevEnv({
      label: 'opt-outs',
      dashboard: true,
      search: true,
      env: { EDITION_LOOK_MS: '200', FILL_LOOK_MS: '200' },
    });
    ({ secret } = await env.createWorkspace());
    api = apiClient(env.apiUrls[0] as string, secret);
    domains = env.demoStores.domains.map(({ domain }) => domain).slice(0, 4);
    await scan(...domains);
    await waitUntil('an edition of all stores', async () => {
      const answer = await post('/v1/stores/search', { limit: 50 });
      domains = answer.status === 200 ? answer.body.data.map((row: { domain: string }) => row.domain) : [];
      return domains.length >= 3;
    });
    [other, gone] = [domains[0] as string, domains.at(-1) as string];
  }, 240_000);
  afterAll(() => env?.stop());

  it('an opted-out store is unknown to look-ups, history, the public pages and searches, and costs nothing', async () => {
    const first = await search();
    await env.scans.addOptOut({ subject: gone, reason: 'the owner asked', actor });
    await env.settle();

    expect((await api.get(`/v1/stores/${gone}`)).status).toBe(404);
    expect((await api.get(`/v1/stores/${gone}/history`)).status).toBe(404);
    const enriched = await api.enrich({ domains: [gone] });
    expect(enriched.body.results[0]).toMatchObject({ match: 'no_match', reason: 'not_in_corpus', store: null });
    expect(enriched.body.billed).toEqual({ lookup_cached: 0, lookup_live: 0 });
    expect((await page(`/stores/${gone}`)).status).toBe(404);
    expect((await page(`/stores/${other}`)).status).toBe(200);

    // The edition is the one from before the opt-out.
    const rest = await walk(first.body.next_cursor);
    expect(rest.found).toEqual(domains.slice(1, -1));
    expect(rest.billed).toBe(rest.found.length);
    expect((await api.get(`/v1/stores/${other}`)).status).toBe(200);
  });

  it('a scan of an opted-out store ends without an observation, and the store stays unknown', async () => {
    const answer = await api.enrich({ domains: [gone], refresh: true });
    await env.settle();
    const job = await api.get(`/v1/jobs/${answer.body.results[0].scan_job_id}`);
    expect(job.body).toMatchObject({ state: 'failed', error: { code: 'opted_out' } });
    expect((await api.get(`/v1/stores/${gone}`)).status).toBe(404);
  });

  it('a later edition does not have the store', async () => {
    const { edition } = (await search()).body;
    env.passTime(16 * minuteMs);
    await waitUntil('the next edition', async () => (await search()).body.edition?.id !== edition.id);
    expect(await found()).toEqual(domains.slice(0, -1));
  });

  it('after the withdrawal, a scan shows the store again everywhere', async () => {
    await env.scans.removeOptOut({ subject: gone, actor });
    await env.settle();
    expect((await api.get(`/v1/stores/${gone}`)).status).toBe(404);
    await scan(gone);
    const store = await api.get(`/v1/stores/${gone}`);
    expect(store.status).toBe(200);
    expect(store.body.store.recent_signals).toEqual([]);
    env.passTime(32 * minuteMs);
    await waitUntil('an edition with the store', async () => (await found()).includes(gone));
  });
});
