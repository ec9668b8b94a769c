import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Answer, json, startScriptedService } from '../../../client/test/scripted-service.ts';
import { runCommand } from '../../test/run-command.ts';

const env = (url: string) => ({ env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: url } });
const page = (rows: number, cursor: string | null) =>
  json(200, {
    billed: { lookup_cached: rows, history_query: 0 },
    data: Array.from({ length: rows }, (_, n) => ({ domain: `${cursor}-${n}.example` })),
    next_cursor: cursor,
  });

test('shopscope find sends its options as the clauses of a search, and reads no more rows than --limit', async () => {
  await using service = await startScriptedService([page(200, 'a'), page(50, 'b')]);
  const filters = ['--country', 'DE,AT', '--technology-any', 'klaviyo', '--category-none', 'reviews'];
  const args = ['find', ...filters, '--products-min', '100', '--limit', '250', '--sort', '-product_count', '--json'];
  const { out, code } = await runCommand(args, env(service.url));
  expect(code).toBe(0);
  expect(JSON.parse(out).data).toHaveLength(250);
  const where = {
    country: { any: ['DE', 'AT'] },
    technologies: [{ any: ['klaviyo'] }, { none: { category: ['reviews'] } }],
    products: { min: 100 },
  };
  const request = { where, sort: '-product_count', view: 'full' };
  expect(service.received.map(({ body }) => body)).toEqual([
    { ...request, limit: 200, cursor: null, max_units: { lookup_cached: 250 } },
    { ...request, limit: 50, cursor: 'a', max_units: { lookup_cached: 50 } },
  ]);
});

test.each([
  ['--limit', '1001', 'This may spend 1001 units. Give --max-units 1001 or --yes to allow it.'],
  ['--products-min', 'many', '--products-min must be a whole number.'],
  ['--install-state', 'active', 'install_state, confidence_min and first_observed need technology_any'],
])('shopscope find with %s %s sends nothing and says what to do', async (option, value, message) => {
  await using service = await startScriptedService([page(1, null)]);
  const { code, err } = await runCommand(['find', option, value], env(service.url));
  expect(err).toContain(message);
  expect(code).not.toBe(0);
  expect(service.received).toEqual([]);
});

test('shopscope find --count sends no facets unless they are asked for, and names what is hidden', async () => {
  const hidden = { not_judged: {}, quote: {}, left: {}, facets: [], sample: [] };
  await using service = await startScriptedService([json(200, { total: { value: 5, relation: 'lt' }, ...hidden })]);
  const { out } = await runCommand(['find', '--count', '--technology-none', 'yotpo'], env(service.url));
  expect(out).toMatch(/Stores\s+fewer than 5\nAll rows bill\s+not shown\n/);
  expect(service.received[0]).toMatchObject({
    url: '/v1/stores/count',
    body: { where: { technologies: [{ none: ['yotpo'] }] } },
  });
});

test('shopscope find --export writes the parts of its job, and jobs results writes them again', async () => {
  const text = 'Company name,Domain\r\nShop,a.example\r\n';
  const sha256 = createHash('sha256').update(text).digest('hex');
  const job = { id: 'job_1', type: 'export', state: 'succeeded', error: null, finished_at: '2026-01-15T12:00:00.000Z' };
  const answers: Record<string, Answer> = {
    'POST /v1/stores/export': json(202, job),
    'GET /v1/jobs/job_1': json(200, job),
    'GET /v1/jobs/job_1/results': json(200, { data: [{ part: 1, rows: 1, sha256 }], next_cursor: null }),
    'GET /v1/jobs/job_1/parts/1': (_, response) => response.writeHead(200, { 'Content-Type': 'text/csv' }).end(text),
  };
  await using service = await startScriptedService([
    (received, response) =>
      answers[`${received.method} ${received.url.split('?')[0]}`]?.(received, response) ??
      response.writeHead(404).end(),
  ]);
  const args = ['find', '--country', 'DE', '--export', '--columns', 'hubspot', '--max-units', '2000'];
  expect(await runCommand(args, env(service.url))).toEqual({ code: 0, out: text, err: '' });
  expect(service.received[0]?.body).toEqual({
    where: { country: { any: ['DE'] } },
    format: 'csv',
    columns: 'hubspot',
    max_units: { lookup_cached: 2_000, history_query: 2_000 },
  });
  expect((await runCommand(['jobs', 'results', 'job_1'], env(service.url))).out).toBe(text);
});
