import { AppError } from '@shopscope/errors';
import { JobState, ScanUnit } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobOf, type TestKey } from './support/backends.ts';
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
const atMs = Date.UTC(2026, 0, 15, 12);

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

  it('GET /v1/jobs/{job_id} is free, also of HEAD, and needs read:jobs', async () => {
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
  it('GET /v1/jobs/{job_id}/results has the result of a scan that has succeeded or failed, and none of another one', async () => {
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

describe('GET /v1/jobs', () => {
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

  it('a cancel takes no body but an object without members, and names a member', async () => {
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
