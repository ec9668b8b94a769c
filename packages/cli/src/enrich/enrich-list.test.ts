import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  failure,
  json,
  type ScriptedService,
  startScriptedService,
} from '../../../client/test/scripted-service.ts';
import { runCommand } from '../../test/run-command.ts';

const noUnits = { lookup_cached: 0, lookup_live: 0, history_query: 0, refresh_requested: 0 };
const job = {
  id: 'job_u1',
  type: 'enrich',
  state: 'succeeded',
  domain: null,
  progress: { total: 3, done: 3, failed: 1 },
  attempts: 0,
  billed: { ...noUnits, lookup_cached: 1 },
  error: null,
  created_at: '2026-01-15T12:00:00.000Z',
  started_at: null,
  finished_at: '2026-01-15T12:00:09.000Z',
  expires_at: '2026-02-14T12:00:00.000Z',
};
const store = { domain: 'a.example', name: 'Shop', platform: { slug: 'custom' }, technologies: [], catalog: {} };
const parts = { status: { state: 'closed' }, geography: { country: 'DE' }, industry: { slug: 'tea' }, observation: {} };
const rowOf = (domain: string, over: object = {}) => ({
  domain,
  external_id: null,
  input: domain,
  match: 'no_match',
  reason: 'not_in_corpus',
  scan_requested: false,
  scan_job_id: null,
  store: null,
  ...over,
});
const results = [
  rowOf('a.example', {
    match: 'matched',
    reason: null,
    external_id: '=1',
    store: { ...store, ...parts, catalog: { coverage: 'none' } },
  }),
  rowOf('b.example'),
  rowOf('c.example', { match: 'error', reason: 'internal' }),
];

const unpaidResults = [...results.slice(0, 2), rowOf('c.example', { match: 'error', reason: 'allowance_exhausted' })];

/** A service whose quote needs 3 units, and whose results have two pages. */
const answerOf =
  (over: object = {}, rows: readonly object[] = results): Answer =>
  (received, response) => {
    const { method, url, body } = received;
    const asked = body as { dry_run?: boolean } | undefined;
    if (method === 'POST' && asked?.dry_run) {
      const quote = { matched: 1, stale: 0, unknown: 2, quote: { ...noUnits, lookup_cached: 1, lookup_live: 2 } };
      return json(200, quote)(received, response);
    }
    if (method === 'POST') return json(202, { ...job, state: 'queued' })(received, response);
    if (url.includes('cursor=')) return json(200, { data: rows.slice(2), next_cursor: null })(received, response);
    if (url.includes('/results')) return json(200, { data: rows.slice(0, 2), next_cursor: 'x' })(received, response);
    return json(200, { ...job, ...over })(received, response);
  };
const env = (url: string) => ({ env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: url } });

describe('enrich --list', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cli-list-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const run = async (args: readonly string[], over: object = {}, rows: readonly object[] = results) => {
    await using service = await startScriptedService([answerOf(over, rows)]);
    const ran = await runCommand(['enrich', '--list', 'lst_1', ...args], env(service.url));
    return { ...ran, sent: service.received.filter(({ method }) => method === 'POST').map(({ body }) => body) };
  };

  test('enrich --list starts a job that may bill at most --max-units, and prints it', async () => {
    const { code, out, sent } = await run(['--refresh', '--max-units', '50']);
    expect([code, sent]).toEqual([
      0,
      [
        { refresh: true, dry_run: true },
        { refresh: true, max_units: 50 },
      ],
    ]);
    expect(out).toMatch(/Job\s+job_u1/);
    expect(out).toMatch(/Done\s+3 of 3, 1 failed/);
  });

  test('enrich --list --dry-run prints the quote and starts nothing', async () => {
    const { code, out, sent } = await run(['--dry-run']);
    expect([code, sent]).toEqual([0, [{ refresh: false, dry_run: true }]]);
    expect(out).toMatch(/Unknown\s+2/);
    expect(out).toMatch(/Costs\s+1 lookup_cached, 2 lookup_live/);
  });

  test('enrich --list starts nothing above --max-units without an answer, and with --yes it does', async () => {
    const refused = await run(['--max-units', '2']);
    expect([refused.code, refused.sent.length]).toEqual([2, 1]);
    expect(refused.err).toContain('This may spend 3 units. Give --max-units 3 or --yes to allow it.');
    expect((await run(['--max-units', '2', '--yes'])).sent[1]).toEqual({ refresh: false, max_units: 3 });
  });

  test('enrich --list --wait writes all results as CSV with their external ids, or as lines of JSON', async () => {
    const [csv, jsonl] = [join(directory, 'out.csv'), join(directory, 'out.jsonl')];
    const { code, err, out } = await run(['--wait', '-o', csv]);
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain(`3 rows in ${csv}`);
    const [header, ...rows] = parse(readFileSync(csv)) as string[][];
    expect(header?.slice(0, 4)).toEqual(['domain', 'external_id', 'shopscope_match', 'shopscope_reason']);
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['a.example', "'=1", 'matched', ''],
      ['b.example', '', 'no_match', 'not_in_corpus'],
      ['c.example', '', 'error', 'internal'],
    ]);
    await run(['--wait', '-o', jsonl]);
    const lines = readFileSync(jsonl, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(results);
    expect((await run(['--wait', '--json'])).out).toBe(`${lines.join('\n')}\n`);
  });

  test('enrich --list has exit code 1 for a job that failed, after the results that it has', async () => {
    const error = { code: 'internal', message: 'It could not continue.' };
    const { code, out, err } = await run(['--wait', '--json'], { state: 'failed', error });
    expect([code, out.trimEnd().split('\n').length]).toEqual([1, 3]);
    expect(err).toContain('internal: It could not continue.');
  });

  test('enrich --list spends nothing when its output exists already or its options contradict each other', async () => {
    const output = join(directory, 'out.csv');
    writeFileSync(output, 'mine');
    for (const [args, message] of [
      [['--wait', '-o', output], 'out.csv exists.'],
      [['-o', output], 'With --list, -o needs --wait.'],
      [['rows.txt'], '--list takes neither a FILE nor --column.'],
      [['--max-units', 'many'], '--max-units must be a whole number.'],
    ] as const) {
      const { code, err, sent } = await run(args);
      expect([code, sent]).toEqual([2, []]);
      expect(err).toContain(message);
    }
  });

  test('enrich --list --wait has exit code 5 when the allowance did not suffice for a row, after all results', async () => {
    const { code, out, err } = await run(['--wait', '--json'], {}, unpaidResults);
    expect([code, out.trimEnd().split('\n').length]).toEqual([5, 3]);
    expect(err).toContain('The allowance did not suffice for 1 of 3 rows.');
    expect((await run(['--wait', '--json'], { state: 'failed' }, unpaidResults)).code).toBe(1);
  });

  const starts = ({ received }: ScriptedService) =>
    received.filter(({ method, body }) => method === 'POST' && !(body as { dry_run?: boolean }).dry_run);
  /** Runs `enrich --list lst_1 --wait -o out.csv`. The person ends it with the first request that `isLast` selects. */
  const interruptedRun = async (isLast: (url: string, isStart: boolean) => boolean, over: readonly string[] = []) => {
    const interrupt = new AbortController();
    const answer = answerOf();
    await using service = await startScriptedService([
      (received, response) => {
        const { dry_run } = (received.body ?? {}) as { dry_run?: boolean };
        const isStart = received.method === 'POST' && !dry_run;
        if (!isLast(received.url, isStart)) return answer(received, response);
        interrupt.abort(new Error('interrupted'));
      },
    ]);
    const args = ['enrich', '--list', 'lst_1', '--wait', '-o', join(directory, 'out.csv'), ...over];
    const ran = await runCommand(args, { ...env(service.url), interrupted: interrupt.signal });
    return { ...ran, starts: starts(service) };
  };
  const isNever = () => false;
  const isResults = (url: string) => url.includes('cursor=');
  const isJob = (url: string) => url === '/v1/jobs/job_u1';

  test.each([
    ['waits for the job', isJob],
    ['writes the results', isResults],
  ])('an enrich --list -o that is interrupted while it %s continues the same job', async (_, isLast) => {
    const first = await interruptedRun(isLast);
    expect([first.code, first.starts.length]).toEqual([130, 1]);
    expect(first.err).toContain('Run the same command again to write them to');
    const second = await interruptedRun(isNever);
    expect([second.code, second.starts]).toEqual([0, []]);
    expect(second.err).toContain('Continues the job job_u1.');
    expect(parse(readFileSync(join(directory, 'out.csv')))).toHaveLength(4);
    expect(readdirSync(directory)).toEqual(['out.csv']);
  });

  test('an enrich --list -o that is interrupted at its start repeats the start with the same key and bound', async () => {
    const first = await interruptedRun((_, isStart) => isStart, ['--max-units', '50']);
    expect([first.code, first.err]).toEqual([130, expect.stringContaining('nothing is billed twice')]);
    const second = await interruptedRun(isNever, ['--max-units', '70']);
    expect(second.code).toBe(0);
    const [start, repeated] = [first.starts[0], second.starts[0]];
    expect(repeated?.body).toEqual({ refresh: false, max_units: 50 });
    expect(repeated?.headers['idempotency-key']).toBe(start?.headers['idempotency-key']);
    expect(second.starts).toHaveLength(1);
  });

  test('a start whose key may have expired is repeated only with --yes', async () => {
    const state = join(directory, 'out.csv.state.json');
    await interruptedRun((_, isStart) => isStart);
    const kept = JSON.parse(readFileSync(state, 'utf8'));
    writeFileSync(state, JSON.stringify({ ...kept, startedAt: '2026-01-01T00:00:00.000Z' }));
    expect((await interruptedRun(isNever)).starts).toEqual([]);
    expect(await interruptedRun(isNever, ['--yes'])).toMatchObject({ code: 0, starts: [expect.anything()] });
  });

  test('an output that another run began is refused before anything is spent', async () => {
    await interruptedRun(isJob);
    const output = join(directory, 'out.csv');
    for (const [args, message] of [
      [['--list', 'lst_2', '--wait'], 'was begun with --list lst_1.'],
      [['--list', 'lst_1', '--wait', '--refresh'], 'was begun without --refresh.'],
      [['-'], 'was begun with --list lst_1.'],
    ] as const) {
      await using service = await startScriptedService([answerOf()]);
      const ran = await runCommand(['enrich', ...args, '-o', output], { ...env(service.url), input: 'a.example' });
      expect([ran.code, starts(service)]).toEqual([2, []]);
      expect(ran.err).toContain(message);
    }
  });

  test('an enrich --list -o whose start is refused leaves nothing to continue', async () => {
    const answer = answerOf();
    const refuse = failure(402, 'payment_required');
    await using service = await startScriptedService([answer, refuse]);
    const args = ['enrich', '--list', 'lst_1', '--wait', '-o', join(directory, 'out.csv')];
    expect((await runCommand(args, env(service.url))).code).toBe(5);
    expect(readdirSync(directory)).toEqual([]);
  });

  const runResults = async (args: readonly string[], over: object = {}, rows: readonly object[] = results) => {
    await using service = await startScriptedService([answerOf(over, rows)]);
    const ran = await runCommand(['jobs', 'results', 'job_u1', ...args], env(service.url));
    return { ...ran, lines: ran.out === '' ? 0 : ran.out.trimEnd().split('\n').length };
  };
  const running = { state: 'running', finished_at: null, progress: { total: 5, done: 4, failed: 0 } };

  test('jobs results prints the results of an enrichment that has ended, with the exit code of their reasons', async () => {
    expect(await runResults(['--json'])).toMatchObject({ code: 0, lines: 3, err: '' });
    const unpaid = await runResults(['--json'], {}, unpaidResults);
    expect(unpaid).toMatchObject({ code: 5, lines: 3, err: 'The allowance did not suffice for 1 of 3 rows.\n' });
  });

  test('jobs results of a running job prints the results so far and has exit code 6', async () => {
    const { code, lines, err } = await runResults(['--json'], running);
    expect([code, lines, err]).toEqual([6, 3, '3 of 5 so far: the job job_u1 is running.\n']);
  });

  test('jobs results -o writes no file before the job has ended, so that the same command succeeds later', async () => {
    const output = join(directory, 'out.csv');
    const { code, err } = await runResults(['-o', output], running);
    expect([code, existsSync(output)]).toEqual([6, false]);
    expect(err).toContain(
      `4 of 5 so far: the job job_u1 is running. ${output} is not written before the job has ended.`,
    );
    expect((await runResults(['-o', output])).code).toBe(0);
    expect(parse(readFileSync(output))).toHaveLength(4);
    expect((await runResults(['-o', output], running)).code).toBe(2);
  });

  test('enrich without a file and without a list says what is missing', async () => {
    const { code, err } = await runCommand(['enrich'], env('http://127.0.0.1:1'));
    expect([code, err]).toEqual([2, expect.stringContaining('Give a FILE, or - for standard input, or --list LIST.')]);
    expect((await runCommand(['enrich', '-', '--dry-run'], env('http://127.0.0.1:1'))).err).toContain(
      '--dry-run needs',
    );
  });
});
