import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from '@shopscope/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, cut, failure, json, startScriptedService } from '../../../client/test/scripted-service.ts';
import { type Received, startReceiver } from '../../test/receiver.ts';
import { runCommand } from '../../test/run-command.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event = (sequence: number, more: object = {}) => ({
  id: `evt_${sequence}`,
  sequence,
  type: 'scan.failed',
  created_at: `2026-01-0${sequence}T12:00:00.000Z`,
  environment: 'live',
  related: { type: 'job', id: 'job_1', url: 'https://api.shopscope.example/v1/jobs/job_1' },
  data: { domain: 'shöp.example', error: { code: 'dns_failure' } },
  ...more,
});
const page = (events: object[], cursor: string, has_more = false) =>
  json(200, { data: events, next_cursor: cursor, has_more });
const urlsOf = (received: readonly { url: string }[]) => received.map(({ url }) => decodeURIComponent(url));

describe('the command listen', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'listen-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Ends the command when the service is asked once more than it has answers. */
  async function listen(args: string[], answers: Answer[], path = '/hooks', to?: string) {
    const interruption = new AbortController();
    const received: Received[] = [];
    await using receiver = await startReceiver(received);
    await using service = await startScriptedService([...answers, () => interruption.abort(new Error('interrupted'))]);
    const ran = await runCommand(['listen', '--forward-to', to ?? `${receiver.url}${path}`, ...args], {
      env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: service.url },
      interrupted: interruption.signal,
    });
    return { ran, received, asked: urlsOf(service.received), to: `${receiver.url}${path}` };
  }

  test('listen forwards each event once and in order as a signed webhook, prints its status, and ends with 0', async () => {
    const { ran, received, to } = await listen(
      ['--since', '2026-01-02T00:00:00Z', '--secret', secret],
      [page([event(1), event(2)], 'a', true), page([event(3)], 'b')],
    );
    expect([ran.code, ran.err]).toEqual([0, `Forwarding to ${to} until Ctrl-C.\n`]);
    expect(ran.out.replaceAll(/\d+ ms/g, 'n ms')).toBe(
      '2026-01-02 12:00:00       2  scan.failed             shöp.example dns_failure  → 204, n ms\n' +
        '2026-01-03 12:00:00       3  scan.failed             shöp.example dns_failure  → 204, n ms\n',
    );
    const verified = received.map(({ headers, body }) => verifyWebhook(headers, body, secret));
    const { id, type, created_at: timestamp, data, sequence, environment } = event(2);
    expect(await verified[0]).toEqual({ id, type, timestamp, data, sequence, environment });
    expect((await verified[1])?.id).toBe('evt_3');
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/hooks',
      headers: { 'user-agent': 'Shopscope-Webhooks/1', 'content-type': 'application/json' },
    });
  });

  test('listen makes a secret and shows it once, and the events are signed with it', async () => {
    const { ran, received } = await listen(['--since', '2026-01-01T00:00:00Z'], [page([event(1)], 'a')]);
    const made = /until Ctrl-C\. The secret is (whsec_[A-Za-z0-9+/]{32})\n$/.exec(ran.err)?.[1] ?? '';
    const [{ headers, body } = {} as Received] = received;
    expect(await verifyWebhook(headers, body, made)).toMatchObject({ id: 'evt_1' });
    expect(ran.out).not.toContain('whsec_');
  });

  test('listen without --since begins after the events that exist, which it passes in large steps', async () => {
    const types = ['--events', 'scan.failed,scan.completed'];
    const { received, asked } = await listen(types, [
      page([event(1, { type: 'key.expiring' })], 'a', true),
      page([], 'b'),
      page([event(2)], 'c'),
    ]);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_2']);
    expect(asked).toEqual([
      '/v1/events?limit=200&types=key.expiring',
      '/v1/events?limit=200&after=a&types=key.expiring',
      '/v1/events?limit=200&after=b&types=scan.failed,scan.completed&wait=8',
      '/v1/events?limit=200&after=c&types=scan.failed,scan.completed&wait=8',
    ]);
  });

  test('listen with a cursor file continues after the last run, also if that run saw no event', async () => {
    const file = ['--cursor-file', join(folder, 'cursor')];
    await listen(file, [page([], 'a')]);
    expect(readFileSync(join(folder, 'cursor'), 'utf8')).toBe('a\n');
    const second = await listen(file, [page([event(1)], 'b')]);
    expect(second.asked[0]).toBe('/v1/events?limit=200&after=a&wait=8');
    expect(second.received).toHaveLength(1);
    expect(readFileSync(join(folder, 'cursor'), 'utf8')).toBe('b\n');
  });

  /** By day, one answer stands for all. forward.test.ts has each of them. */
  for (const [path, outcome] of [
    ['/500', { succeeded: false, status: 500, error: null }],
    ['/301', { succeeded: false, status: 301, error: null }],
    ['/cut', { succeeded: false, status: null, error: 'the connection was cut' }],
    ['/200', { succeeded: true, status: 200, error: null }],
  ] as const) {
    const title = `listen prints the answer of ${path}, sends that event once, and goes on`;
    test(title, { tags: path === '/500' ? [] : ['nightly'] }, async () => {
      const since = ['--since', '2026-01-01T00:00:00Z', '--json'];
      const { ran, received } = await listen(since, [page([event(1), event(2)], 'a')], path);
      expect(ran.code).toBe(0);
      const lines = ran.out.trimEnd().split('\n');
      const expected = [1, 2].map((sequence) => ({
        event_id: `evt_${sequence}`,
        sequence,
        type: 'scan.failed',
        ...outcome,
        latency_ms: expect.any(Number),
      }));
      expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
      expect(received).toHaveLength(2);
    });
  }

  test('listen says in words that nothing listens at the address', async () => {
    const since = ['--since', '2026-01-01T00:00:00Z'];
    const { ran } = await listen(since, [page([event(1)], 'a')], '', 'http://127.0.0.1:1');
    expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/→ failed: connection refused, \d+ ms\n$/) });
  });

  test('listen that is interrupted while an event is sent ends with 0, and the next run sends this event again', async () => {
    const interruption = new AbortController();
    const file = join(folder, 'cursor');
    await using receiver = await startReceiver([], () => interruption.abort(new Error('interrupted')));
    await using service = await startScriptedService([page([event(1)], 'a')]);
    const ran = await runCommand(
      ['listen', '--forward-to', `${receiver.url}/hang`, '--since', '2026-01-01T00:00:00Z', '--cursor-file', file],
      {
        env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: service.url },
        interrupted: interruption.signal,
      },
    );
    expect(ran).toMatchObject({ code: 0, out: '' });
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  test('listen ends with the exit code of an error of the service', async () => {
    await using service = await startScriptedService([failure(403, 'forbidden_scope'), cut]);
    const env = { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: service.url };
    expect((await runCommand(['listen', '--forward-to', 'http://127.0.0.1:1'], { env })).code).toBe(3);
  });

  test.each([
    [[], 'Give --forward-to'],
    [['--forward-to', '127.0.0.1:3000'], 'an address such as http://'],
    [['--forward-to', 'ftp://127.0.0.1/'], 'an address such as http://'],
    [['--forward-to', 'file:///etc/passwd'], 'an address such as http://'],
    [['--forward-to', 'http://me:word@127.0.0.1/'], 'neither a user nor a password'],
    [['--forward-to', 'http://127.0.0.1/', '--secret', 'whsec_short'], 'a secret of the webhook'],
    [['--forward-to', 'http://127.0.0.1/', '--since', 'yesterday'], '--since must be a time'],
  ])('listen refuses %j before it asks the service', async (args, sentence) => {
    expect(await runCommand(['listen', ...args])).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
  });
});
