import { type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/contract/operations.ts';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, sendRaw, type TestAnswer } from './support/http.ts';

let gateway: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;

beforeAll(async () => {
  gateway = await startTestGateway();
  usage = await collectEvents(gateway.namespace, usageRecorded);
  gateway.backends.addStore('shop.example');
});
afterAll(async () => {
  await usage.stop();
  await gateway.stop();
});

/** What differs between any two answers: ids, times and counts of the minute. */
const varying = /^(x-request-id|date|x-ratelimit-(remaining|reset)|ratelimit|x-usage-remaining)$/;
/** Of the connection, which this client ends after a HEAD. */
const hopByHop = /^(connection|keep-alive)$/;
const own = ({ headers }: TestAnswer) => [...headers].filter(([name]) => !hopByHop.test(name));
const namesOf = (answer: TestAnswer) => own(answer).map(([name]) => name);
const lasting = (answer: TestAnswer) => own(answer).filter(([name]) => !varying.test(name));

describe('HEAD', () => {
  const routes = operations.filter(({ method }) => method === 'GET');

  it.each(routes)('of $path answers as GET does, without a body', async ({ path, access }) => {
    const { secret } = gateway.backends.addKey({ plan: { rpm: 100 } });
    const target = path.replaceAll(/\{(\w+)\}/g, 'shop.example');
    const key = access === 'key' ? secret : undefined;
    // A compressed body has another length than its text.
    const headers = { 'Accept-Encoding': 'identity' };
    const got = await call(gateway, target, { key, headers });
    const head = await call(gateway, target, { key, headers, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([got.status, '']);
    expect(lasting(head)).toEqual(lasting(got));
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(got.text)));
    expect(namesOf(head)).toEqual(namesOf(got));
    if (access === 'public') return;
    // Counted like any request, and without a key refused like any.
    const leftAfterBoth = async () => {
      const { secret: key } = gateway.backends.addKey({ plan: { rpm: 100 } });
      const both = [await call(gateway, target, { key }), await call(gateway, target, { key, method: 'HEAD' })];
      const [left, reset] = ['remaining', 'reset'].map((name) =>
        both.map(({ headers }) => Number(headers.get(`x-ratelimit-${name}`))),
      );
      return { left, isOneMinute: (reset?.[0] ?? 0) >= (reset?.[1] ?? 0) };
    };
    // The count starts again when a minute ends between the two requests; it cannot end twice in a row.
    let counted = await leftAfterBoth();
    if (!counted.isOneMinute) counted = await leftAfterBoth();
    expect(counted.left).toEqual([99, 98]);
    expect((await call(gateway, target, { method: 'HEAD' })).status).toBe(401);
  });

  it('of a store is never billed: no Reserve, no usage event, and no 402 when nothing is left', async () => {
    const included = { lookupCached: 1, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };
    const { secret: key, workspaceId } = gateway.backends.addKey({ plan: { included } });
    gateway.backends.forgetCalls();
    const head = () => call(gateway, '/v1/stores/shop.example', { key, method: 'HEAD' });
    for (let i = 0; i < 3; i++) {
      const answer = await head();
      expect([answer.status, answer.headers.get('x-usage-remaining')]).toEqual([200, '1']);
    }
    expect(gateway.backends.calls('reserve')).toEqual([]);

    const billed = await call(gateway, '/v1/stores/shop.example', { key });
    expect(billed.status).toBe(200);
    expect((await call(gateway, '/v1/stores/shop.example', { key })).status).toBe(402);
    const spent = await head();
    expect([spent.status, spent.headers.get('x-usage-remaining')]).toEqual([200, '0']);
    expect(spent.headers.get('etag')).toBe(billed.headers.get('etag'));
    expect(gateway.backends.calls('reserve')).toHaveLength(2);
    const events = () => usage.events.filter(({ event }) => event.workspaceId === workspaceId);
    await expect.poll(() => events().length).toBe(1);
  });

  it('of a store answers 304 to a matching entity tag and 404 to an unknown domain, as GET does', async () => {
    const { secret: key } = gateway.backends.addKey();
    const etag = '"shop.example-1"';
    const unchanged = await call(gateway, '/v1/stores/shop.example', {
      key,
      method: 'HEAD',
      headers: { 'If-None-Match': etag },
    });
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, etag]);
    expect((await call(gateway, '/v1/stores/unknown.example', { key, method: 'HEAD' })).status).toBe(404);
  });

  it('sends no body, so that the next bytes of the connection are the next answer', async () => {
    const { secret } = gateway.backends.addKey();
    const request = (method: string, path: string, more = '') =>
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n${more}\r\n`;
    const raw = await sendRaw(gateway.port, [
      request('HEAD', '/v1/stores/shop.example'),
      request('HEAD', '/v1/stores/unknown.example'),
      request('GET', '/v1/health', 'Connection: close\r\n'),
    ]);
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    const bodies = raw.split('\r\n\r\n');
    expect(bodies).toHaveLength(4);
    expect(bodies.at(-1)).toContain('"status":"ok"');
  });
});
