import { AppError } from '@shopscope/errors';
import {
  type BulkJob,
  type BulkJobResult,
  BulkJobState,
  BulkJobType,
  JobState,
  ResultMatch,
  ScanUnit,
} from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bulkJobOf, jobOf, type TestKey } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
let key: TestKey;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.backends.forgetCalls();
  gateway.backends.faults.clear();
  gateway.backends.jobs.clear();
  gateway.backends.bulkJobs.clear();
  key = gateway.backends.addKey();
});

const get = (path: string, secret = key.secret) => call(gateway, path, { key: secret });
const cancel = (jobId: string, headers: Record<string, string> = {}, secret = key.secret) =>
  call(gateway, `/v1/jobs/${jobId}/cancel`, { key: secret, method: 'POST', headers });
const addJob = (id: string, over: Parameters<typeof jobOf>[0] | object = {}) => {
  const job = jobOf({ id, workspaceId: key.workspaceId, domain: 'shop.example', ...over });
  gateway.backends.jobs.set(id, job);
  return job;
};
const addBulkJob = (id: string, over: Partial<BulkJob> = {}, results: BulkJobResult[] = []) => {
  const job = bulkJobOf({ id, ...over });
  gateway.backends.bulkJobs.set(id, { workspaceId: key.workspaceId, job, results });
  return job;
};
const resultOf = (domain: string, over: Partial<BulkJobResult> = {}): BulkJobResult => ({
  domain,
  externalId: undefined,
  match: ResultMatch.NO_MATCH,
  reason: 'not_in_corpus',
  scanJobId: undefined,
  store: undefined,
  ...over,
});
const atMs = Date.UTC(2026, 0, 15, 12);
const noScan = { scan_requested: false, scan_job_id: null };
const parse = (bytes: Buffer) => JSON.parse(bytes.toString());

describe('GET /v1/jobs/{job_id}', () => {
  it('GET /v1/jobs/{job_id} shows a job in each state, and one whose request is not consumed yet as queued', async () => {
    addJob('job_1', { state: JobState.REQUESTED, createdAtMs: atMs });
    const queued = await get('/v1/jobs/job_1');
    expect(queued.status).toBe(200);
    fitsContract(queued, 'getJob');
    expect(queued.body).toEqual({
      id: 'job_1',
      type: 'scan',
      state: 'queued',
      domain: 'shop.example',
      progress: { total: 1, done: 0, failed: 0 },
      attempts: 0,
      error: null,
      billed: { history_query: 0, lookup_cached: 0, lookup_live: 1, refresh_requested: 0 },
      created_at: '2026-01-15T12:00:00.000Z',
      started_at: null,
      finished_at: null,
      expires_at: null,
    });
    const ended = { startedAtMs: atMs + 1_000, finishedAtMs: atMs + 2_000, attempts: 1 };
    addJob('job_2', { state: JobState.RUNNING, startedAtMs: atMs, attempts: 1 });
    addJob('job_3', { state: JobState.SUCCEEDED, ...ended, unit: ScanUnit.REFRESH_REQUESTED });
    addJob('job_4', { state: JobState.FAILED, ...ended, errorCode: 'timeout', errorMessage: 'Too slow.' });
    addJob('job_5', { state: JobState.CANCELED, ...ended, refunded: true });
    const answers = await Promise.all([2, 3, 4, 5].map((n) => get(`/v1/jobs/job_${n}`)));
    for (const answer of answers) fitsContract(answer, 'getJob');
    expect(answers.map(({ body }) => [body.state, body.progress.done, body.progress.failed, body.error?.code])).toEqual(
      [
        ['running', 0, 0, undefined],
        ['succeeded', 1, 0, undefined],
        ['failed', 1, 1, 'timeout'],
        ['canceled', 0, 0, undefined],
      ],
    );
    expect(answers[1]?.body.billed).toMatchObject({ lookup_live: 0, refresh_requested: 1 });
    expect(answers[3]?.body.billed, 'given back').toMatchObject({ lookup_live: 0, refresh_requested: 0 });
  });

  it('GET /v1/jobs/{job_id} is free, also for HEAD, and needs read:jobs', async () => {
    addJob('job_1');
    // The header is absent when metering takes longer than 150 ms.
    await expect.poll(async () => (await get('/v1/jobs/job_1')).headers.get('x-usage-remaining')).toBe('250000');
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    const other = gateway.backends.addKey({ scopes: ['read:stores', 'write:scans'], workspaceId: key.workspaceId });
    for (const path of ['/v1/jobs', '/v1/jobs/job_1', '/v1/jobs/job_1/results']) {
      expect((await get(path, other.secret)).body.error.code, path).toBe('forbidden_scope');
    }
  });

  it("GET /v1/jobs/{job_id} answers 404 to another workspace's id, an unknown id and an id of a later bulk job", async () => {
    addJob('job_1');
    const stranger = gateway.backends.addKey();
    for (const path of ['/v1/jobs/job_1', '/v1/jobs/job_1/results']) {
      const answer = await get(path, stranger.secret);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      fitsContract(answer, 'getJob');
    }
    expect((await cancel('job_1', {}, stranger.secret)).status).toBe(404);
    for (const id of ['job_2', 'job_u01kandxv3w9p4nsbq7g8e2hm5'])
      expect((await get(`/v1/jobs/${id}`)).status).toBe(404);
    expect((await get('/v1/jobs/lst_1')).body.error.message).toContain('job_id');
  });

  it('GET /v1/jobs/{job_id} shows the job of an enrich response at once', async () => {
    const body = { domains: ['unknown.example'], refresh: true };
    const enriched = await call(gateway, '/v1/stores/enrich', { key: key.secret, body });
    const answer = await get(`/v1/jobs/${enriched.body.results[0].scan_job_id}`);
    expect(answer.body).toMatchObject({ state: 'queued', domain: 'unknown.example', billed: { lookup_live: 1 } });
  });

  it('GET /v1/jobs/{job_id} answers 500 without details while scan-scheduler fails', async () => {
    gateway.backends.faults.set('getJob', () => {
      throw new AppError('internal', 'MongoServerError at mongodb://user:pass@127.0.0.1');
    });
    const answer = await get('/v1/jobs/job_1');
    expect([answer.status, answer.text.includes('Mongo')]).toEqual([500, false]);
  });
});

describe('GET /v1/jobs/{job_id}/results', () => {
  it('GET /v1/jobs/{job_id}/results has the result of a scan that has succeeded or failed, and no row for a scan in another state', async () => {
    addJob('job_1', { state: JobState.SUCCEEDED });
    addJob('job_2', { state: JobState.FAILED, errorCode: 'tls_failure', errorMessage: 'No TLS.' });
    for (const [n, state] of [JobState.REQUESTED, JobState.RUNNING, JobState.CANCELED].entries())
      addJob(`job_${n + 3}`, { state });
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => get(`/v1/jobs/job_${n}/results?limit=1`)));
    for (const answer of answers) fitsContract(answer, 'getJobResults');
    expect(answers.map(({ body }) => body.data)).toEqual([
      [{ domain: 'shop.example', state: 'succeeded', error: null }],
      [{ domain: 'shop.example', state: 'failed', error: { code: 'tls_failure', message: 'No TLS.' } }],
      ...[[], [], []],
    ]);
    const refused = await get('/v1/jobs/job_1/results?cursor=abc');
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('cursor')]);
  });
});

describe('an enrichment of a list', () => {
  const store = () => gateway.backends.addStore('a.example');

  it('GET /v1/jobs/{job_id} shows the progress and the bill of an enrichment, and when it expires', async () => {
    const billed = { lookupCached: 3, lookupLive: 1, historyQuery: 0, refreshRequested: 0 };
    const error = { state: BulkJobState.FAILED, errorCode: 'internal', errorMessage: 'It could not continue.' };
    const times = { createdAtMs: atMs, startedAtMs: atMs, expiresAtMs: Date.UTC(2026, 1, 14) };
    addBulkJob('job_u1', { total: 9, done: 5, failed: 1, billed, ...times, ...error });
    const answer = await get('/v1/jobs/job_u1');
    fitsContract(answer, 'getJob');
    expect(answer.body).toEqual({
      id: 'job_u1',
      type: 'enrich',
      state: 'failed',
      domain: null,
      progress: { total: 9, done: 5, failed: 1 },
      attempts: 0,
      error: { code: 'internal', message: 'It could not continue.' },
      billed: { history_query: 0, lookup_cached: 3, lookup_live: 1, refresh_requested: 0 },
      created_at: '2026-01-15T12:00:00.000Z',
      started_at: '2026-01-15T12:00:00.000Z',
      finished_at: null,
      expires_at: '2026-02-14T00:00:00.000Z',
    });
    expect(gateway.backends.calls('getJob')).toHaveLength(0);
    const states = [BulkJobState.QUEUED, BulkJobState.RUNNING, BulkJobState.SUCCEEDED, BulkJobState.CANCELED];
    for (const [n, state] of states.entries()) addBulkJob(`job_u${n}`, { state });
    expect((await get('/v1/jobs/job_u0')).body.expires_at).toBeNull();
    const shown = await Promise.all(states.map(async (_, n) => (await get(`/v1/jobs/job_u${n}`)).body.state));
    expect(shown).toEqual(['queued', 'running', 'succeeded', 'canceled']);
  });

  it('the results of an enrichment have external ids, reasons and the bytes of the stores, by domain, page by page', async () => {
    const bytes = store();
    addBulkJob('job_u1', {}, [
      resultOf('a.example', { match: ResultMatch.MATCHED, reason: '', store: bytes, externalId: 'crm "1"' }),
      resultOf('b.example', { scanJobId: 'job_7' }),
      resultOf('c.example', { match: ResultMatch.ERROR, reason: 'allowance_exhausted' }),
    ]);
    const first = await get('/v1/jobs/job_u1/results?limit=2');
    fitsContract(first, 'getJobResults');
    expect(first.text).toContain(`"scan_job_id":null,"store":${bytes.toString()}}`);
    const row = (domain: string) => ({ domain, external_id: null, input: domain, store: null });
    expect(first.body.data).toEqual([
      { ...row('a.example'), external_id: 'crm "1"', match: 'matched', reason: null, ...noScan, store: parse(bytes) },
      { ...row('b.example'), match: 'no_match', reason: 'not_in_corpus', scan_requested: true, scan_job_id: 'job_7' },
    ]);
    const cursor = first.body.next_cursor;
    const second = await get(`/v1/jobs/job_u1/results?limit=2&cursor=${cursor}`);
    expect(second.body).toEqual({
      data: [{ ...row('c.example'), match: 'error', reason: 'allowance_exhausted', ...noScan }],
      next_cursor: null,
    });
    addBulkJob('job_u2');
    const other = gateway.backends.addKey();
    for (const answer of [
      await get(`/v1/jobs/job_u2/results?cursor=${cursor}`),
      await get('/v1/jobs/job_u1/results?cursor=x'),
    ]) {
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(/^cursor: /)]);
    }
    for (const path of ['/v1/jobs/job_u1', '/v1/jobs/job_u1/results'])
      expect((await get(path, other.secret)).status).toBe(404);
  });

  it('a page of 200 results of an enrichment is read in calls of 100, whose messages fit for stores of any size', async () => {
    const domains = Array.from({ length: 250 }, (_, n) => `shop-${String(n).padStart(3, '0')}.example`);
    addBulkJob(
      'job_u1',
      {},
      domains.map((domain) => resultOf(domain)),
    );
    const page = await get('/v1/jobs/job_u1/results?limit=200');
    expect(page.body.data.map(({ domain }: { domain: string }) => domain)).toEqual(domains.slice(0, 200));
    const limits = gateway.backends.calls<{ limit: number }>('listBulkJobResults').map(({ limit }) => limit);
    expect(limits).toEqual([100, 100]);
    const rest = await get(`/v1/jobs/job_u1/results?limit=200&cursor=${page.body.next_cursor}`);
    expect([rest.body.data.length, rest.body.next_cursor]).toEqual([50, null]);
  });

  it('the results of an enrichment come as one line each when the caller accepts lines, however many there are', async () => {
    const bytes = store();
    const domains = Array.from({ length: 170 }, (_, n) => `shop-${String(n).padStart(3, '0')}.example`);
    const rows = domains.map((domain) => resultOf(domain, { match: ResultMatch.STALE, reason: '', store: bytes }));
    addBulkJob('job_u1', {}, rows);
    const asLines = (path: string, method = 'GET', secret = key.secret) =>
      call(gateway, path, { key: secret, method, headers: { Accept: 'application/x-ndjson' } });
    const answer = await asLines('/v1/jobs/job_u1/results?limit=1');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = answer.text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).domain)).toEqual(domains);
    expect(lines.every((line) => line.endsWith(`"store":${bytes.toString()}}`))).toBe(true);
    const { text } = await get('/v1/jobs/job_u1/results?limit=170');
    expect(text).toBe(`{"data":[${lines.join(',')}],"next_cursor":null}`);
    expect((await asLines('/v1/jobs/job_u1/results', 'HEAD')).text).toBe('');
    expect((await asLines('/v1/jobs/job_u2/results')).body.error.code).toBe('not_found');
    addBulkJob('job_u3');
    expect((await asLines('/v1/jobs/job_u3/results')).text).toBe('');
    addJob('job_1', { state: JobState.SUCCEEDED });
    expect((await asLines('/v1/jobs/job_1/results')).body).toEqual({
      domain: 'shop.example',
      state: 'succeeded',
      error: null,
    });
  });

  it('a caller of lines that disconnects ends the reading of results', async () => {
    const store = Buffer.from(JSON.stringify({ padding: 'x'.repeat(120_000) }));
    const domains = Array.from({ length: 2_000 }, (_, n) => `shop-${String(n).padStart(4, '0')}.example`);
    addBulkJob(
      'job_u1',
      {},
      domains.map((domain) => resultOf(domain, { match: ResultMatch.MATCHED, store })),
    );
    const abort = new AbortController();
    const response = await fetch(`${gateway.url}/v1/jobs/job_u1/results`, {
      headers: { Authorization: `Bearer ${key.secret}`, Accept: 'application/x-ndjson' },
      signal: abort.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    abort.abort();
    await expect(reader?.read()).rejects.toThrow();
    await waitUntil('the stream to end', async () => (await gateway.service.pending()) === 0);
    // The reader took almost nothing. What was read fits into the buffers of its connection.
    expect(gateway.backends.calls('listBulkJobResults').length).toBeLessThan(domains.length / 50);
  });

  it('lines of results end without the end of the body when subscriptions fails in the middle', async () => {
    addBulkJob(
      'job_u1',
      {},
      Array.from({ length: 60 }, (_, n) => resultOf(`shop-${10 + n}.example`)),
    );
    let calls = 0;
    gateway.backends.faults.set('listBulkJobResults', () => {
      if (++calls > 1) throw new AppError('internal', 'No more.');
    });
    const response = await fetch(`${gateway.url}/v1/jobs/job_u1/results`, {
      headers: { Authorization: `Bearer ${key.secret}`, Accept: 'application/x-ndjson' },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('a replay is read, has no results, and a cancel of it needs write:webhooks', async () => {
    addBulkJob('job_o1', { type: BulkJobType.REPLAY, total: 5 });
    const read = await get('/v1/jobs/job_o1');
    fitsContract(read, 'getJob');
    expect(read.body).toMatchObject({ type: 'replay', state: 'running', domain: null, progress: { total: 5 } });
    expect((await get('/v1/jobs/job_o1/results')).body).toEqual({ data: [], next_cursor: null });
    expect((await get('/v1/jobs/job_o2/results')).status).toBe(404);
    const { workspaceId } = key;
    const statusOf = async (scopes: string[]) =>
      (await cancel('job_o1', {}, gateway.backends.addKey({ scopes, workspaceId }).secret)).status;
    expect(await statusOf(['write:scans', 'read:webhooks', 'read:jobs'])).toBe(403);
    expect(gateway.backends.calls('cancelReplayJob')).toHaveLength(0);
    expect(await statusOf(['write:webhooks'])).toBe(200);
    expect((await get('/v1/jobs/job_o1')).body.state).toBe('canceled');
  });

  it('a cancel of an enrichment needs the scopes that start it', async () => {
    addBulkJob('job_u1');
    addBulkJob('job_u2', { refresh: true });
    const { workspaceId } = key;
    const statusOf = async (scopes: string[], id: string) =>
      (await cancel(id, {}, gateway.backends.addKey({ scopes, workspaceId }).secret)).status;
    const starting = ['read:stores', 'read:watchlists'];
    expect(await statusOf(['read:stores', 'write:scans'], 'job_u1')).toBe(403);
    expect(await statusOf(['read:watchlists', 'write:scans'], 'job_u1')).toBe(403);
    expect(await statusOf(starting, 'job_u2')).toBe(403);
    expect(gateway.backends.calls('cancelBulkJob')).toHaveLength(0);
    expect(await statusOf(starting, 'job_u1')).toBe(200);
    expect(await statusOf([...starting, 'write:scans'], 'job_u2')).toBe(200);
    expect(await statusOf(starting, 'job_u9')).toBe(404);
    expect((await get('/v1/jobs/job_u1')).body.state).toBe('canceled');
  });
});

describe('GET /v1/jobs', () => {
  it('GET /v1/jobs merges the jobs of all owners, newest first, then by id, each once, whatever the page size', async () => {
    const expected: [number, string][] = [];
    for (let n = 0; n < 9; n++) {
      const [createdAtMs, owner] = [atMs + Math.floor(n / 4), ['u', 'o', ''][n % 3] as string];
      const id = `job_${owner}${n}`;
      if (owner === '') addJob(id, { createdAtMs });
      else addBulkJob(id, { createdAtMs, type: owner === 'o' ? BulkJobType.REPLAY : BulkJobType.ENRICH });
      expected.push([createdAtMs, id]);
    }
    const ids = expected.sort(([a, x], [b, y]) => b - a || (x < y ? 1 : -1)).map(([, id]) => id);
    for (const limit of [1, 2, 5, 9]) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const answer = await get(`/v1/jobs?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        fitsContract(answer, 'listJobs');
        seen.push(...answer.body.data.map(({ id }: { id: string }) => id));
        cursor = answer.body.next_cursor;
      }
      expect(seen).toEqual(ids);
    }
    const idsOf = async (query: string) =>
      (await get(`/v1/jobs?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf('type=enrich')).toEqual(ids.filter((id) => id.startsWith('job_u')));
    expect(await idsOf('type=replay')).toEqual(ids.filter((id) => id.startsWith('job_o')));
    expect(await idsOf('type=scan')).toEqual(ids.filter((id) => !/^job_[uo]/.test(id)));
    expect(await idsOf('state=running')).toEqual(ids.filter((id) => /^job_[uo]/.test(id)));
  });

  it('GET /v1/jobs is 500 while one owner does not respond, unless the filter names a type of the other owner', async () => {
    addJob('job_1');
    addBulkJob('job_u1');
    const fail = () => {
      throw new AppError('internal', 'MongoServerError');
    };
    for (const [method, failing, other] of [
      ['listBulkJobs', 'enrich', 'scan'],
      ['listJobs', 'scan', 'enrich'],
      ['listReplayJobs', 'replay', 'enrich'],
    ] as const) {
      gateway.backends.faults.set(method, fail);
      const statuses = await Promise.all(
        ['', `?type=${failing}`, '?ids=job_1,job_u1,job_o1', `?type=${other}`].map(
          async (query) => (await get(`/v1/jobs${query}`)).status,
        ),
      );
      expect(statuses).toEqual([500, 500, 500, 200]);
      gateway.backends.faults.clear();
    }
  });

  it('GET /v1/jobs with ids has these jobs in their order, without unknown and foreign ones, and refuses other filters', async () => {
    for (const [n, id] of ['job_1', 'job_2', 'job_3'].entries()) addJob(id, { createdAtMs: atMs + n });
    addBulkJob('job_u1', { createdAtMs: atMs });
    gateway.backends.jobs.set('job_other', jobOf({ id: 'job_other', workspaceId: 'ws_other', domain: 'shop.example' }));
    const answer = await get('/v1/jobs?limit=1&ids=job_2,job_u1,job_9,job_%20x,job_other,job_u9,job_1,job_2');
    fitsContract(answer, 'listJobs');
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual(['job_2', 'job_u1', 'job_1', 'job_2']);
    expect(answer.body.next_cursor).toBeNull();
    const many = Array.from({ length: 101 }, (_, n) => `job_${n}`).join();
    expect((await get(`/v1/jobs?ids=${many}`)).body.error.message).toMatch(/^ids: must be at most 100 values/);
    expect((await get(`/v1/jobs?ids=${many.slice(0, many.lastIndexOf(','))}`)).status).toBe(200);
    const { next_cursor: cursor } = (await get('/v1/jobs?limit=1')).body;
    for (const [query, message] of [
      ['ids=job_1&state=queued', /^state: cannot be given with ids/],
      ['ids=job_1&type=scan', /^type: /],
      [`ids=job_1&cursor=${cursor}`, /^cursor: /],
      ['ids=job_1,lst_2', /^ids\[1\]: /],
      ['ids=', /^ids\[0\]: /],
    ] as const) {
      const refused = await get(`/v1/jobs?${query}`);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(message)]);
    }
  });

  it('GET /v1/jobs lists the jobs of the workspace, newest first, page by page, each once', async () => {
    for (let n = 0; n < 7; n++) addJob(`job_${n}`, { createdAtMs: atMs + Math.floor(n / 2) });
    gateway.backends.jobs.set('job_other', jobOf({ id: 'job_other', workspaceId: 'ws_other', domain: 'shop.example' }));
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await get(`/v1/jobs?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(answer.status).toBe(200);
      fitsContract(answer, 'listJobs');
      ids.push(...answer.body.data.map(({ id }: { id: string }) => id));
      cursor = answer.body.next_cursor;
    }
    expect(ids).toEqual(['job_6', 'job_5', 'job_4', 'job_3', 'job_2', 'job_1', 'job_0']);
  });

  it('GET /v1/jobs filters by type and by state, where queued includes jobs whose request is not consumed yet', async () => {
    const states = [JobState.REQUESTED, JobState.QUEUED, JobState.RUNNING, JobState.FAILED, JobState.CANCELED];
    for (const [n, state] of states.entries()) addJob(`job_${n}`, { state, errorCode: '' });
    const idsOf = async (query: string) =>
      (await get(`/v1/jobs?${query}`)).body.data.map(({ id }: { id: string }) => id).sort();
    expect(await idsOf('state=queued')).toEqual(['job_0', 'job_1']);
    expect(await idsOf('state=running&type=scan')).toEqual(['job_2']);
    expect(await idsOf('type=scan')).toHaveLength(5);
    expect(await idsOf('type=enrich')).toEqual([]);
    for (const query of ['state=done', 'type=bulk', 'limit=0', 'cursor=x', 'order=asc']) {
      const answer = await get(`/v1/jobs?${query}`);
      expect([answer.status, query]).toEqual([400, query]);
      fitsContract(answer, 'listJobs');
    }
  });

  it('GET /v1/jobs refuses a cursor of another workspace or query', async () => {
    for (let n = 0; n < 3; n++) addJob(`job_${n}`, { createdAtMs: atMs + n });
    const { next_cursor: cursor } = (await get('/v1/jobs?limit=1')).body;
    expect((await get(`/v1/jobs?limit=2&cursor=${cursor}`)).status).toBe(200);
    expect((await get(`/v1/jobs?state=queued&cursor=${cursor}`)).status).toBe(400);
    expect((await get(`/v1/jobs?cursor=${cursor}`, gateway.backends.addKey().secret)).status).toBe(400);
  });
});

describe('POST /v1/jobs/{job_id}/cancel', () => {
  it('a cancel of a queued job bills nothing, and a cancel of an ended job leaves it as it is', async () => {
    addJob('job_1');
    const canceled = await cancel('job_1');
    expect(canceled.status).toBe(200);
    fitsContract(canceled, 'cancelJob');
    expect(canceled.body).toMatchObject({ state: 'canceled', billed: { lookup_live: 0 } });
    expect((await cancel('job_1')).body).toEqual(canceled.body);
    addJob('job_2', { state: JobState.RUNNING });
    expect((await cancel('job_2')).body).toMatchObject({ state: 'canceled', billed: { lookup_live: 1 } });
    const ended = addJob('job_3', { state: JobState.SUCCEEDED, finishedAtMs: atMs });
    expect((await cancel('job_3')).body).toMatchObject({ state: 'succeeded', billed: { lookup_live: 1 } });
    expect(ended.state).toBe(JobState.SUCCEEDED);
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
  });

  it('a cancel of a job needs write:scans', async () => {
    addJob('job_1');
    const reader = gateway.backends.addKey({ scopes: ['read:jobs'], workspaceId: key.workspaceId });
    expect((await cancel('job_1', {}, reader.secret)).body.error.code).toBe('forbidden_scope');
    expect(gateway.backends.calls('cancelJob')).toHaveLength(0);
  });

  it('a cancel with an Idempotency-Key replays its response, and refuses the key for another job', async () => {
    for (const id of ['job_1', 'job_2']) addJob(id);
    const headers = { 'Idempotency-Key': 'cancel-my-job' };
    const first = await cancel('job_1', headers);
    const second = await cancel('job_1', headers);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(gateway.backends.calls('cancelJob')).toHaveLength(1);
    expect((await cancel('job_2', headers)).body.error.code).toBe('conflict');
    expect((await cancel('job_1', { 'Idempotency-Key': 'short' })).status).toBe(400);
  });

  it('a cancel accepts no body except an object without members, and names a member', async () => {
    addJob('job_1');
    const withBody = (body: unknown) => call(gateway, '/v1/jobs/job_1/cancel', { key: key.secret, body });
    const refused = await withBody({ reason: 'too late' });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/^reason: /)]);
    expect((await withBody([])).status).toBe(400);
    expect(gateway.backends.calls('cancelJob')).toHaveLength(0);
    const answer = await withBody({});
    expect([answer.status, answer.body.state]).toEqual([200, 'canceled']);
  });
});
