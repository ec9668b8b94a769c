import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import contract from '../../../../docs/openapi.json' with { type: 'json' };
import { type Answer, failure, json, startScriptedService } from '../../../client/test/scripted-service.ts';
import { runCommand } from '../../test/run-command.ts';

const env = (url: string) => ({ env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: url } });
const webhook = contract.paths['/v1/webhooks'].post.responses['201'].content['application/json'].example;
const job =
  contract.paths['/v1/webhooks/{webhook_id}/replay'].post.responses['202'].content['application/json'].example;
const tested =
  contract.paths['/v1/webhooks/{webhook_id}/test'].post.responses['200'].content['application/json'].example;
const note = 'The secret is not shown again. Store it where the receiver reads it.\n';

describe('webhooks', () => {
  test('create sends the members of its options, and prints the secret once', async () => {
    await using service = await startScriptedService([json(201, webhook)]);
    const members = ['--events', 'signal.confirmed,scan.failed', '--description', 'Production', '--watchlists', 'wl_1'];
    const filters = ['--type', 'technology_added', '--technology', 'klaviyo', '--category', 'email', '--platform'];
    const stores = ['shopify', '--country', 'DE,AT', '--industry', 'all', '--confidence-min', 'medium'];
    const sent = ['--header', 'X-Team: growth', '--header', 'X-Stage:live: 1', '--max-per-minute', '60'];
    const args = ['webhooks', 'create', 'https://hooks.example', ...members, ...filters, ...stores, ...sent];
    const ran = await runCommand(args, env(service.url));
    expect([ran.code, ran.err]).toEqual([0, note]);
    expect(ran.out).toContain(`Secret       ${webhook.secret}\n`);
    const { method, url, body } = service.received[0] ?? {};
    expect([method, url, body]).toEqual([
      'POST',
      '/v1/webhooks',
      {
        url: 'https://hooks.example',
        event_types: ['signal.confirmed', 'scan.failed'],
        description: 'Production',
        watchlist_ids: ['wl_1'],
        filters: {
          signal_type: ['technology_added'],
          technology: ['klaviyo'],
          category: ['email'],
          platform: ['shopify'],
          country: ['DE', 'AT'],
          industry: [],
          confidence_min: 'medium',
        },
        max_per_minute: 60,
        headers: { 'X-Team': 'growth', 'X-Stage': 'live: 1' },
      },
    ]);
  });

  test('create with --json prints the response, and the note about the secret on standard error', async () => {
    await using service = await startScriptedService([json(201, webhook)]);
    const args = ['webhooks', 'create', 'https://hooks.example', '--events', 'scan.failed', '--json'];
    const ran = await runCommand(args, env(service.url));
    expect([JSON.parse(ran.out), ran.err]).toEqual([webhook, note]);
  });

  test('a secret whose response was lost is made again by rotate, as the command says', async () => {
    await using service = await startScriptedService([json(201, { ...webhook, secret: null })]);
    const args = ['webhooks', 'create', 'https://hooks.example', '--events', 'scan.failed'];
    const ran = await runCommand(args, env(service.url));
    expect([ran.code, ran.out.includes('Secret')]).toEqual([0, false]);
    expect(ran.err).toContain(`\`shopscope webhooks rotate ${webhook.id}\` makes another.`);
  });

  test.each([
    [
      ['update', 'whk_1', '--technology', 'all', '--confidence-min', 'any'],
      { filters: { technology: [], confidence_min: null } },
    ],
    [['update', 'whk_1', '--description', 'none', '--header', 'none'], { description: null, headers: {} }],
    [
      ['update', 'whk_1', '--watchlists', 'all', '--max-per-minute', 'none'],
      { watchlist_ids: [], max_per_minute: null },
    ],
    [['resume', 'whk_1'], { state: 'active' }],
    [['rotate', 'whk_1', '--overlap-hours', '0'], { overlap_hours: 0 }],
    [['rotate', 'whk_1'], {}],
    [['test', 'whk_1'], {}],
    [['test', 'whk_1', '--events', 'scan.failed'], { type: 'scan.failed' }],
  ])('webhooks %j sends %j', async (args, body) => {
    await using service = await startScriptedService([json(200, { ...webhook, ...tested })]);
    expect((await runCommand(['webhooks', ...args], env(service.url))).code).toBe(0);
    expect(service.received.map((each) => each.body)).toEqual([body]);
  });

  test('delete prints the id', async () => {
    await using service = await startScriptedService([(_, response) => response.writeHead(204).end()]);
    const ran = await runCommand(['webhooks', 'delete', 'whk_1'], env(service.url));
    expect(ran).toEqual({ code: 0, err: '', out: 'Deleted whk_1.\n' });
  });

  test('a test whose answer is not 2xx ends with 1, and shows the answer without control characters', async () => {
    const attempt = { ...tested.attempt, status: 500, body_excerpt: 'a\u001b[2Jb' };
    await using service = await startScriptedService([json(200, { ...tested, attempt })]);
    const ran = await runCommand(['webhooks', 'test', 'whk_1'], env(service.url));
    expect([ran.code, ran.err]).toEqual([1, '']);
    expect(ran.out).toMatch(/Answer\s+500\n[\s\S]*Body\s+a \[2Jb\n/);
  });

  test('a webhook that does not exist has the exit code of not_found', async () => {
    await using service = await startScriptedService([failure(404, 'not_found')]);
    expect((await runCommand(['webhooks', 'show', 'whk_1'], env(service.url))).code).toBe(4);
  });
});

describe('replay', () => {
  const span = ['--from', '2026-01-14T00:00:00Z', '--to', '2026-01-15T00:00:00Z'];
  const replay = ['webhooks', 'replay', 'whk_1', ...span];
  const at = (state: string, done: number) => json(200, { ...job, state, progress: { total: 40, done, failed: 0 } });

  test('replay asks for failed deliveries, and with --all for all of the given types', async () => {
    await using service = await startScriptedService([json(202, job)]);
    await runCommand(replay, env(service.url));
    await runCommand([...replay, '--all', '--events', 'scan.failed'], env(service.url));
    const times = { from: '2026-01-14T00:00:00Z', to: '2026-01-15T00:00:00Z' };
    expect(service.received.map(({ body }) => body)).toEqual([
      { ...times, only: 'failed' },
      { ...times, only: 'all', event_types: ['scan.failed'] },
    ]);
  });

  test('replay without --to ends with now', async () => {
    await using service = await startScriptedService([json(202, job)]);
    await runCommand(['webhooks', 'replay', 'whk_1', '--from', '2026-01-14T00:00:00Z'], env(service.url));
    expect(service.received[0]?.body).toMatchObject({ to: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/) });
  });

  test('replay --wait shows on a terminal how far the job is, and prints the job at its end', async () => {
    await using service = await startScriptedService([json(202, job), at('running', 10), at('succeeded', 40)]);
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const ran = await runCommand([...replay, '--wait', '--json'], { ...env(service.url), stderr });
    expect([ran.code, JSON.parse(ran.out)]).toEqual([
      0,
      { ...job, state: 'succeeded', progress: { total: 40, done: 40, failed: 0 } },
    ]);
    stderr.end();
    expect(String(await stderr.toArray())).toContain('10 of 40');
  });

  test('replay --wait ends with 1 when the job failed', async () => {
    await using service = await startScriptedService([json(202, job), at('failed', 10)]);
    expect((await runCommand([...replay, '--wait'], env(service.url))).code).toBe(1);
  });

  test('an interrupted replay --wait says that the job continues', async () => {
    const interrupt = new AbortController();
    const stop: Answer = (received, response) => {
      interrupt.abort();
      return at('running', 1)(received, response);
    };
    await using service = await startScriptedService([json(202, job), stop]);
    const over = { ...env(service.url), interrupted: interrupt.signal };
    const ran = await runCommand([...replay, '--wait'], over);
    expect([ran.code, ran.out]).toEqual([130, '']);
    expect(ran.err).toContain(`The job continues: \`shopscope jobs ${job.id}\` shows it`);
  });
});

test('deliveries sends its filters, and shows the error of an attempt without an answer', async () => {
  const { example } = contract.paths['/v1/deliveries'].get.responses['200'].content['application/json'];
  const [delivery] = example.data;
  const data = [{ ...delivery, attempts: [{ ...tested.attempt, status: null, error: 'timeout' }] }];
  await using service = await startScriptedService([json(200, { data, next_cursor: null })]);
  const filters = [
    '--webhook',
    'whk_1',
    '--event',
    'evt_1',
    '--state',
    'failed',
    '--from',
    '2026-01-14',
    '--to',
    '2026-01-15',
  ];
  const { out } = await runCommand(['deliveries', ...filters], env(service.url));
  expect(out).toMatch(/\s1\s+timeout\s/);
  expect(Object.fromEntries(new URL(service.received[0]?.url ?? '', 'http://x').searchParams)).toEqual({
    webhook_id: 'whk_1',
    event_id: 'evt_1',
    state: 'failed',
    from: '2026-01-14',
    to: '2026-01-15',
    limit: '50',
  });
});
