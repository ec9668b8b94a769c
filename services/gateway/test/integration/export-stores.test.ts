import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { AppError } from '@shopscope/errors';
import { BulkJobState, BulkJobType, ExportFormat } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bulkJobOf, pieceBytes, type TestKey } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
let key: TestKey;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  gateway.backends.forgetCalls();
  gateway.backends.faults.clear();
  gateway.backends.bulkJobs.clear();
  key = gateway.backends.addKey({ scopes: ['read:stores', 'read:signals', 'read:watchlists', 'read:jobs'] });
});

const exportStores = (body: object, { secret = key.secret, headers = {} } = {}) =>
  call(gateway, '/v1/stores/export', { key: secret, body, headers });
const started = () => gateway.backends.calls<Record<string, unknown>>('startExport');

describe('POST /v1/stores/export', () => {
  it('an export is 202 with its job, and is asked for with the key that pays', async () => {
    const answer = await exportStores({
      where: { country: { any: ['DE'] }, technologies: [{ any: ['klaviyo'] }] },
      sort: '-product_count',
      format: 'csv',
      columns: 'hubspot',
      max_rows: 500,
      max_units: { lookup_cached: 500 },
    });
    expect(answer.status).toBe(202);
    fitsContract(answer, 'exportStores');
    expect(answer.body).toMatchObject({ type: 'export', state: 'queued', domain: null, expires_at: null });
    const { workspaceId, keyId } = key;
    expect(started()).toMatchObject([
      {
        workspaceId,
        keyId,
        query: { sort: '-product_count', country: { any: ['DE'] }, status: { any: ['active_storefront'] } },
        windowFrom: 0,
        format: ExportFormat.CSV,
        columns: ['hubspot'],
        maxRows: 500,
        maxLookupCached: 500,
        maxHistoryQuery: undefined,
        requestToken: expect.stringMatching(/^chg_/),
      },
    ]);
    await exportStores({});
    const defaults = { format: ExportFormat.NDJSON, columns: [], maxRows: 100_000, maxLookupCached: undefined };
    expect(started()[1]).toMatchObject(defaults);
  });

  it('a repeated request with an Idempotency-Key starts one export', async () => {
    const headers = { 'Idempotency-Key': 'export-my-stores' };
    const [first, second] = [await exportStores({}, { headers }), await exportStores({}, { headers })];
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(started()).toHaveLength(1);
    expect((await exportStores({ max_rows: 7 }, { headers })).body.error.code).toBe('conflict');
  });

  it('an export needs the scopes of its query', async () => {
    const { secret } = gateway.backends.addKey({ scopes: ['read:stores'], workspaceId: key.workspaceId });
    const answerOf = async (where: object) => (await exportStores({ where }, { secret })).body.error?.message;
    expect(await answerOf({ dropped: [{ any: ['klaviyo'] }] })).toContain('read:signals');
    expect(await answerOf({ list: { any: ['lst_1'] } })).toContain('read:watchlists');
    expect(await answerOf({})).toBeUndefined();
  });

  it('wrong bodies are 400 and name the member', async () => {
    for (const [body, message] of [
      [{ format: 'xlsx' }, /^format: /],
      [{ columns: 'hubspot' }, /^columns: is only for the format csv/],
      [{ format: 'csv', columns: ['store.nam'] }, /^columns/],
      [{ format: 'csv', columns: [] }, /^columns/],
      [{ max_rows: 0 }, /^max_rows: /],
      [{ max_rows: 100_001 }, /^max_rows: /],
      [{ max_units: 5 }, /^max_units: /],
      [{ where: { country: { any: ['QQ'] } } }, /^where.country.any\[0\]: /],
      [{ limit: 5 }, /^limit: is not a known member/],
    ] as const) {
      const refused = await exportStores(body);
      expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringMatching(message)]);
    }
    expect(started()).toEqual([]);
  });

  it('while searches are unavailable an export is 503 with the time of the next try', async () => {
    gateway.backends.faults.set('startExport', () => {
      throw new AppError('unavailable', 'There is no edition.', { details: { retry_after: 10 } });
    });
    const answer = await exportStores({});
    fitsContract(answer, 'exportStores');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
    expect(started()).toHaveLength(1);
  });
});

describe('an export job', () => {
  const contents = [Buffer.from('{"domain":"a.example"}\n'.repeat(200)), Buffer.from('{"domain":"b.example"}\n')];
  const jobId = 'job_uexport';
  const addExport = (format: ExportFormat = ExportFormat.NDJSON, parts = contents) => {
    const job = bulkJobOf({ id: jobId, type: BulkJobType.EXPORT, scopes: ['read:stores', 'read:signals'] });
    const { workspaceId } = key;
    const record = { workspaceId, job, results: [], parts: parts.map((content) => ({ content, format })) };
    gateway.backends.bulkJobs.set(jobId, record);
  };
  const results = (query = '', headers = {}) =>
    call(gateway, `/v1/jobs/${jobId}/results${query}`, { key: key.secret, headers });
  /** fetch would uncompress the body. */
  const read = (part: number | string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const url = `${gateway.url}/v1/jobs/${jobId}/parts/${part}`;
      const sent = httpRequest(url, { method, headers: { Authorization: `Bearer ${key.secret}`, ...headers } });
      sent.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      sent.end();
    });

  it('the results of an export are its parts, page by page and as lines', async () => {
    addExport();
    const first = await results('?limit=1');
    fitsContract(first, 'getJobResults');
    const { url, ...described } = first.body.data[0];
    const sha256 = createHash('sha256')
      .update(contents[0] as Buffer)
      .digest('hex');
    expect(described).toEqual({ part: 1, rows: 200, bytes: contents[0]?.length, sha256 });
    expect(url).toMatch(new RegExp(`/v1/jobs/${jobId}/parts/1$`));
    const second = await results(`?limit=1&cursor=${encodeURIComponent(first.body.next_cursor)}`);
    expect([second.body.data[0].part, second.body.next_cursor]).toEqual([2, null]);
    const lines = await results('', { Accept: 'application/x-ndjson' });
    expect(lines.text.split('\n').filter(Boolean)).toHaveLength(2);
  });

  it('a part has the bytes of its pieces, and also in one gzip member when gzip is accepted', async () => {
    addExport();
    const plain = await read(1);
    expect(plain.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-length': String(contents[0]?.length),
      'accept-ranges': 'bytes',
    });
    expect(contents[0]?.equals(plain.body)).toBe(true);
    const compressed = await read(1, { 'Accept-Encoding': 'br, gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    expect(contents[0]?.equals(gunzipSync(compressed.body))).toBe(true);
    // As a client reads it that ends after the first member. Its header has ten bytes.
    expect(contents[0]?.equals(inflateRawSync(compressed.body.subarray(10)))).toBe(true);
    addExport(ExportFormat.CSV);
    expect((await read(1)).headers['content-type']).toBe('text/csv; charset=utf-8');
  });

  it('any range of a part has its bytes, wherever pieces end', async () => {
    addExport();
    const all = contents[0] as Buffer;
    for (const start of [0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, all.length - 1]) {
      for (const end of [start, start + 1, pieceBytes, 3 * pieceBytes - 1, all.length - 1].filter(
        (at) => at >= start,
      )) {
        const { status, headers, body } = await read(1, { Range: `bytes=${start}-${end}`, 'Accept-Encoding': 'gzip' });
        const last = Math.min(end, all.length - 1);
        expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${last}/${all.length}`]);
        expect(all.subarray(start, last + 1).equals(body)).toBe(true);
      }
    }
    expect((await read(1, { Range: `bytes=${all.length}-` })).status).toBe(200);
    expect((await read(1, { Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200);
    const head = await read(1, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(all.length), 0]);
  });

  it('parts that do not exist, of other jobs and of other workspaces are 404', async () => {
    addExport();
    expect((await read(3)).status).toBe(404);
    expect((await read(0)).status).toBe(400);
    expect((await call(gateway, '/v1/jobs/job_oreplay/parts/1', { key: key.secret })).status).toBe(404);
    const { secret } = gateway.backends.addKey({ scopes: ['read:jobs'] });
    expect((await call(gateway, `/v1/jobs/${jobId}/parts/1`, { key: secret })).status).toBe(404);
  });

  it('canceling an export needs the scopes of its query, and jobs are listed by their type', async () => {
    addExport();
    const { secret } = gateway.backends.addKey({ scopes: ['read:stores'], workspaceId: key.workspaceId });
    const cancel = (by: string) => call(gateway, `/v1/jobs/${jobId}/cancel`, { key: by, method: 'POST' });
    expect((await cancel(secret)).body.error.message).toContain('read:signals');
    expect((await cancel(key.secret)).body.state).toBe('canceled');
    const listed = await call(gateway, '/v1/jobs?type=export', { key: key.secret });
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([jobId]);
    const others = await call(gateway, '/v1/jobs?type=enrich', { key: key.secret });
    expect(others.body.data).toEqual([]);
  });

  it('a failed export says why', async () => {
    addExport();
    const job = gateway.backends.bulkJobs.get(jobId)?.job;
    Object.assign(job ?? {}, { state: BulkJobState.FAILED, errorCode: 'edition_ended', errorMessage: 'It has ended.' });
    const answer = await call(gateway, `/v1/jobs/${jobId}`, { key: key.secret });
    fitsContract(answer, 'getJob');
    expect(answer.body).toMatchObject({ type: 'export', state: 'failed', error: { code: 'edition_ended' } });
  });
});
