import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTestHosts } from '@shopscope/demo-stores';
import { type DevEnv, startDevEnv } from '@shopscope/dev-env';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import { forwarding } from '../../client/test/forwarding.ts';
import {
  type Answer,
  cut,
  failure,
  type ScriptedService,
  startScriptedService,
} from '../../client/test/scripted-service.ts';
import { testListen } from './listen.ts';
import { runCommand } from './run-command.ts';

const main = new URL('../src/main.ts', import.meta.url).pathname;

/** The commands as processes, and the service, also behind a proxy that fails. */
describe('commands', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cli-enrich-'));
  const file = (name: string) => join(directory, name);
  const unknown = Array.from({ length: 300 }, (_, n) => `listed-shop-${n}.example`);
  const known = 'northwind-tea.example';
  let env: DevEnv;
  let baseUrl: string;
  let readerKey: string;

  const keyOf = async () => (await env.createWorkspace({ plan: 'small_batches' })).secret;
  const usedBy = async (apiKey: string) => {
    await env.settle();
    return (await createClient({ apiKey, baseUrl }).getUsage()).period.used;
  };
  const withKey = (apiKey: string, url = baseUrl) => ({
    env: { SHOPSCOPE_API_KEY: apiKey, SHOPSCOPE_BASE_URL: url },
  });
  const start = (args: string[], apiKey: string, url: string) => {
    const { NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, ['--conditions=@shopscope/source', main, 'enrich', ...args], {
      cwd: directory,
      env: { SHOPSCOPE_API_KEY: apiKey, SHOPSCOPE_BASE_URL: url, NODE_COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    return { child, ended: once(child, 'close').then(([code]) => ({ code, out, err })) };
  };

  beforeAll(async () => {
    const hostsFile = file('scan-hosts.json');
    env = await startDevEnv({
      label: 'cli',
      envOf: (service): Record<string, string> => (service === 'scanner' ? { SHOPSCOPE_SCAN_HOSTS: hostsFile } : {}),
    });
    // Nothing listens at port 1, so scans of the unknown stores end soon.
    const closed = Object.fromEntries(unknown.map((domain) => [domain, { address: '127.0.0.1', port: 1, tls: false }]));
    await writeTestHosts(hostsFile, { ...env.demoStores.testHosts, ...closed });
    baseUrl = env.apiUrls[0] as string;
    const { plans } = await env.keys.listPlans({});
    const scale = plans.find(({ slug }) => slug === 'scale');
    if (!scale) throw new Error('there is no plan scale');
    await env.keys.putPlan({ plan: { ...scale, slug: 'small_batches', enrichBatchMax: 10 }, actor: 'operator:test' });
    readerKey = await keyOf();
    await createClient({ apiKey: readerKey, baseUrl }).enrichStores({ domains: [known], refresh: true });
    await env.settle();
    writeFileSync(file('domains.txt'), `${unknown.slice(0, 150).join('\n')}\n\n${unknown.slice(150).join('\n')}\n`);
  });
  afterAll(async () => {
    await env?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  // By day, trial.test.ts has the same faults and a SIGKILL on a scripted service.
  const killedTitle =
    'enrich answers every row once and in order despite faults and a SIGKILL, and bills what its summary says';
  test(killedTitle, { tags: ['nightly'] }, async () => {
    const key = await keyOf();
    const { forward, forwardAndCut, forwardAndCutWithinBody } = forwarding(baseUrl);
    const faults = [
      cut,
      forwardAndCut,
      failure(503, 'unavailable', { 'Retry-After': '0' }),
      forwardAndCutWithinBody,
      failure(429, 'rate_limited', { 'Retry-After': '0' }),
      (_: unknown, response: ServerResponse) => response.writeHead(502).end('<html>'),
    ];
    let requests = 0;
    let killed: (() => void) | undefined;
    const answer: Answer = (received, response) => {
      requests += 1;
      if (requests === 20) killed?.();
      const fault = requests % 3 === 0 ? faults[(requests / 3) % faults.length] : undefined;
      return (fault ?? forward)(received, response);
    };
    await using proxy: ScriptedService = await startScriptedService([answer]);
    const args = ['domains.txt', '--refresh', '--max-units', '300', '-o', 'out.csv', '--json'];

    const first = start(args, key, proxy.url);
    killed = () => first.child.kill('SIGKILL');
    expect((await first.ended).code).toBeNull();
    const kept = JSON.parse(readFileSync(file('out.csv.state.json'), 'utf8'));
    expect(kept.rows).toBeLessThan(unknown.length);
    // The files after a kill between the writing of the rows and of the state.
    writeFileSync(file('out.csv'), `${readFileSync(file('out.csv'), 'utf8')}half a row,`);

    const second = await start(args, key, proxy.url).ended;
    expect(second).toMatchObject({ code: 0 });
    const rows = parse(readFileSync(file('out.csv')), { columns: true }) as Record<string, string>[];
    expect(rows.map(({ input }) => input)).toEqual(unknown);
    const summary = JSON.parse(second.out);
    expect(summary).toMatchObject({
      rows: 300,
      matches: { 'no_match (not_in_corpus)': 300 },
      units: { lookup_live: 300 },
    });
    expect(await usedBy(key)).toMatchObject(summary.units);
    expect(existsSync(file('out.csv.state.json'))).toBe(false);
  });

  test('enrich keeps the columns of a CSV file, and no cell of the output is a formula', async () => {
    writeFileSync(
      file('crm.csv'),
      `\uFEFFname,website\n"=HYPERLINK(""x"")",${known}\n"Tea, loose",unknown-of-crm.example\n@sum,not a domain\n`,
    );
    const ran = await runCommand(
      ['enrich', file('crm.csv'), '--column', 'website', '-o', file('crm-out.csv')],
      withKey(readerKey),
    );
    expect(ran).toMatchObject({ code: 0 });
    const rows = parse(readFileSync(file('crm-out.csv')), { columns: true }) as Record<string, string>[];
    expect(rows.map(({ name }) => name)).toEqual([`'=HYPERLINK("x")`, 'Tea, loose', "'@sum"]);
    expect(rows.map((row) => [row.shopscope_match, row.shopscope_reason, row.shopscope_platform])).toEqual([
      ['matched', '', expect.any(String)],
      ['no_match', 'not_in_corpus', ''],
      ['error', 'invalid_domain', ''],
    ]);
    expect(ran.err).toMatch(/3 rows in .*billed 1 lookup_cached, 0 lookup_live/);
  });

  test('enrich writes JSON lines to standard output, and says that nothing can be continued', async () => {
    const ran = await runCommand(['enrich', '-', '--json'], {
      ...withKey(readerKey),
      input: `${known}\n${unknown[0]}\n`,
    });
    const results = ran.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results.map(({ input, match }) => [input, match])).toEqual([
      [known, 'matched'],
      [unknown[0], 'no_match'],
    ]);
  });

  test('enrich spends nothing above --max-units without a yes', async () => {
    const ran = await runCommand(
      ['enrich', file('domains.txt'), '-o', file('refused.csv'), '--max-units', '299'],
      withKey(readerKey),
    );
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('--max-units 300') });
    expect(existsSync(file('refused.csv'))).toBe(false);
  });

  test('enrich stops standard input at --max-units, and continues with a larger bound', async () => {
    const input = `${unknown.slice(0, 30).join('\n')}\n`;
    const output = file('stdin.jsonl');
    const first = await runCommand(['enrich', '-', '-o', output, '--max-units', '20'], {
      ...withKey(readerKey),
      input,
    });
    expect(first).toMatchObject({ code: 2, err: expect.stringContaining('larger --max-units') });
    const second = await runCommand(['enrich', '-', '-o', output, '--max-units', '20'], {
      ...withKey(readerKey),
      input,
    });
    expect(second.code).toBe(0);
    const rows = readFileSync(output, 'utf8').trim().split('\n');
    expect(rows.map((line) => JSON.parse(line).input)).toEqual(unknown.slice(0, 30));
  });

  test('enrich continues only the input and the options with which the output was begun', async () => {
    const output = file('other.csv');
    const input = `${unknown.slice(0, 30).join('\n')}\n`;
    await runCommand(['enrich', '-', '-o', output, '--max-units', '20'], { ...withKey(readerKey), input });
    const other = await runCommand(['enrich', '-', '-o', output], {
      ...withKey(readerKey),
      input: input.replace('listed-shop-3', 'other'),
    });
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('The input is not the one') });
    const refreshed = await runCommand(['enrich', '-', '-o', output, '--refresh'], { ...withKey(readerKey), input });
    expect(refreshed).toMatchObject({ code: 2, err: expect.stringContaining('without --refresh') });
    const existing = await runCommand(['enrich', '-', '-o', file('domains.txt')], { ...withKey(readerKey), input });
    expect(existing).toMatchObject({ code: 2, err: expect.stringContaining('exists') });
  });

  test('an interruption of enrich keeps what was answered and says how to continue', async () => {
    const { forward } = forwarding(baseUrl);
    const interruption = new AbortController();
    let requests = 0;
    await using proxy = await startScriptedService([
      (received, response) => {
        if (++requests === 15) interruption.abort(new Error('interrupted'));
        return forward(received, response);
      },
    ]);
    const output = file('interrupted.csv');
    const args = ['enrich', file('domains.txt'), '-o', output];
    const ran = await runCommand(args, { ...withKey(readerKey, proxy.url), interrupted: interruption.signal });
    expect(ran).toMatchObject({ code: 130, err: expect.stringContaining('Run the same command again') });
    expect(await runCommand(args, withKey(readerKey))).toMatchObject({ code: 0 });
    expect(parse(readFileSync(output), { columns: true })).toHaveLength(300);
  });

  test('the commands scan, jobs, history and signals ask the running service', async () => {
    const key = withKey(await keyOf());
    const scanned = await runCommand(['scan', 'fjordlicht.example', '--wait', '--json'], key);
    expect(scanned).toMatchObject({ code: 0 });
    const { id, state } = JSON.parse(scanned.out);
    expect(state).toBe('succeeded');
    expect((await runCommand(['jobs'], key)).out).toContain(id);
    expect((await runCommand(['jobs', 'cancel', id, '--json'], key)).out).toContain('"succeeded"');
    expect(await runCommand(['history', 'fjordlicht.example'], key)).toMatchObject({ code: 0 });
    expect(await runCommand(['signals', '--type', 'technology_added'], key)).toMatchObject({ code: 0 });
    const failed = await runCommand(['scan', unknown[0] as string, '--wait'], key);
    expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('connection_refused') });
  });

  test('a file of enrich that does not exist is reported with a sentence, without a stack', async () => {
    const ran = await runCommand(['enrich', file('none.txt'), '-o', file('none-out.csv')], withKey(readerKey));
    expect(ran).toMatchObject({ code: 2, err: expect.stringMatching(/none\.txt cannot be read\.\n$/) });
  });

  test('a file of enrich without the column is refused with its columns', async () => {
    writeFileSync(file('names.csv'), 'name,owner\nTea,Ann\n');
    const ran = await runCommand(['enrich', file('names.csv'), '-o', file('names-out.csv')], withKey(readerKey));
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('the file has name, owner') });
  });

  test('enrich ends without an error when the reader of standard output ends', async () => {
    const running = start(['domains.txt', '--json'], readerKey, baseUrl);
    running.child.stdout.destroy();
    expect(await running.ended).toMatchObject({ code: 0, err: '' });
  });

  testListen(() => env);
});
