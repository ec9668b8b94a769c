import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Answer, json, startScriptedService } from '../test/scripted-service.ts';

const where = { technologies: [{ any: ['klaviyo'] }] };
const job = (state: string, error: object | null = null) => json(200, { id: 'job_1', state, error });
const lines = (...domains: string[]) => domains.map((domain) => `${JSON.stringify({ domain })}\n`).join('');
const partOf = (part: number, text: string) => ({
  part,
  rows: text.split('\n').length - 1,
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
  url: `https://api.example.com/v1/jobs/job_1/parts/${part}`,
});
const results = (...texts: string[]) =>
  json(200, { data: texts.map((text, at) => partOf(at + 1, text)), next_cursor: null });
const content =
  (text: string, type = 'application/x-ndjson'): Answer =>
  (_, response) =>
    response.writeHead(200, { 'Content-Type': type }).end(text);

test('an export starts a job once, waits for it and yields the rows of its parts in order', async () => {
  const parts = [lines('a.example', 'bü.example'), lines('c.example')];
  await using service = await startScriptedService([
    job('queued'),
    job('running'),
    job('succeeded'),
    results(...parts),
    ...parts.map((text) => content(text)),
  ]);
  const options = { maxRows: 5_000, maxUnits: { lookup_cached: 5_000 }, idempotencyKey: 'export-of-today' };
  const rows = await Array.fromAsync(service.client.export(where, options));
  expect(rows.map(({ domain }) => domain)).toEqual(['a.example', 'bü.example', 'c.example']);
  const [start] = service.received;
  expect(start?.headers).toMatchObject({ 'idempotency-key': 'export-of-today' });
  expect(start?.body).toEqual({ where, format: 'ndjson', max_rows: 5_000, max_units: { lookup_cached: 5_000 } });
  expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /v1/stores/export',
    'GET /v1/jobs/job_1',
    'GET /v1/jobs/job_1',
    'GET /v1/jobs/job_1/results',
    'GET /v1/jobs/job_1/parts/1',
    'GET /v1/jobs/job_1/parts/2',
  ]);
});

test('an export that failed yields the rows that it has billed before its error', async () => {
  const text = lines('a.example');
  const failed = job('failed', { code: 'edition_ended', message: 'The edition has ended.' });
  await using service = await startScriptedService([job('queued'), failed, results(text), content(text)]);
  const rows: string[] = [];
  const reading = (async () => {
    for await (const { domain } of service.client.export(where)) rows.push(domain);
  })();
  await expect(reading).rejects.toThrow('the export job_1 is failed: The edition has ended.');
  expect(rows).toEqual(['a.example']);
});

test('a part of an export that differs from its sha256 is not yielded', async () => {
  const text = lines('a.example');
  await using service = await startScriptedService([results(text), content(lines('b.example'))]);
  await expect(Array.fromAsync(service.client.exportParts('job_1'))).rejects.toThrow(
    'part 1 of the export job_1 differs from its sha256',
  );
});

test('the parts of an export as CSV are texts', async () => {
  const text = 'domain\r\n"a.example"\r\n';
  await using service = await startScriptedService([results(text), content(text, 'text/csv; charset=utf-8')]);
  const parts = await Array.fromAsync(service.client.exportParts('job_1'));
  expect(parts.map(({ part, text }) => [part, text])).toEqual([[1, text]]);
});
