import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failure, json, startScriptedService } from '../../../client/test/scripted-service.ts';
import { runCommand } from '../../test/run-command.ts';

const env = (url: string) => ({ env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: url } });
const event = (sequence: number, more: object = {}) => ({
  id: `evt_${sequence}`,
  sequence,
  type: 'scan.failed',
  created_at: `2026-01-${String(sequence).padStart(2, '0')}T12:00:00.000Z`,
  environment: 'live',
  related: null,
  data: { domain: 'shop.example', error: { code: 'dns_failure' } },
  ...more,
});
const page = (events: object[], cursor: string, has_more = false) =>
  json(200, { data: events, next_cursor: cursor, has_more });

describe('the command events', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'events-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('events prints a line for each event, and the filters are those of the request', async () => {
    const signal = { type: 'technology_added', domain: 'b.example', technology: 'klaviyo', from: null, to: 'active' };
    await using service = await startScriptedService([
      page([event(1)], 'a', true),
      page([event(2, { type: 'signal.confirmed', data: signal })], 'b'),
    ]);
    const query = ['--type', 'scan.failed,signal.confirmed', '--watchlist', 'wl_1'];
    const ran = await runCommand(['events', ...query], env(service.url));
    expect(ran).toEqual({
      code: 0,
      err: '',
      out:
        '2026-01-01 12:00:00       1  scan.failed             shop.example dns_failure\n' +
        '2026-01-02 12:00:00       2  signal.confirmed        b.example technology_added klaviyo – → active\n',
    });
    const { searchParams } = new URL(service.received[0]?.url ?? '', 'http://x');
    expect(Object.fromEntries(searchParams)).toEqual({
      limit: '200',
      types: 'scan.failed,signal.confirmed',
      watchlist_id: 'wl_1',
    });
  });

  test('events --json prints one event in each line, without those before --since', async () => {
    await using service = await startScriptedService([page([event(1), event(2), event(3)], 'a')]);
    const { out } = await runCommand(['events', '--json', '--since', '2026-01-02T00:00:00Z'], env(service.url));
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([event(2), event(3)]);
  });

  test('events with a cursor file prints each event once over several runs', async () => {
    const cursorFile = join(folder, 'cursor');
    await using service = await startScriptedService([
      page([event(1)], 'a'),
      page([event(2)], 'b'),
      failure(500, 'internal'),
    ]);
    const args = ['events', '--json', '--cursor-file', cursorFile];
    const first = await runCommand(args, env(service.url));
    const second = await runCommand(args, env(service.url));
    expect([first.out, second.out].map((out) => JSON.parse(out).sequence)).toEqual([1, 2]);
    expect(service.received.map(({ url }) => url)).toEqual(['/v1/events?limit=200', '/v1/events?limit=200&after=a']);
    expect(readFileSync(cursorFile, 'utf8')).toBe('b\n');
  });

  test('events --follow prints events as they come, and Ctrl-C ends it without an error and with its place stored', async () => {
    const cursorFile = join(folder, 'cursor');
    const interruption = new AbortController();
    await using service = await startScriptedService([
      page([event(1)], 'a'),
      // The second request waits when the person ends the command.
      () => interruption.abort(new Error('interrupted')),
    ]);
    const args = ['events', '--follow', '--json', '--cursor-file', cursorFile];
    const ran = await runCommand(args, { ...env(service.url), interrupted: interruption.signal });
    expect(ran).toEqual({ code: 0, err: '', out: `${JSON.stringify(event(1))}\n` });
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v1/events?limit=200&wait=8',
      '/v1/events?limit=200&after=a&wait=8',
    ]);
    expect(readFileSync(cursorFile, 'utf8')).toBe('a\n');
  });

  test('events refuses an invalid time, and a cursor file that cannot be written', async () => {
    await using service = await startScriptedService([page([event(1)], 'a')]);
    expect((await runCommand(['events', '--since', 'yesterday'], env(service.url))).code).toBe(2);
    const ran = await runCommand(['events', '--cursor-file', join(folder, 'none', 'cursor')], env(service.url));
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('cannot be written')]);
  });
});
