import { deriveId } from '@shopscope/ids';
import { type StoreSignal, type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBilled } from '../../src/contract/operation.ts';
import { operations } from '../../src/endpoints/endpoints.ts';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, sendRaw, type TestAnswer } from './support/http.ts';

let gateway: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;

const signal = (domain: string, n: number): StoreSignal => ({
  id: deriveId('evt', domain, String(n)),
  type: 'technology_added',
  technology: 'klaviyo',
  from: undefined,
  to: 'active',
  confidence: 'high',
  effectiveAtMs: Date.now() - n * 60_000,
  confirmedAtMs: Date.now() - n * 60_000,
  domain,
  storefrontId: deriveId('sf', domain),
});

beforeAll(async () => {
  gateway = await startTestGateway();
  usage = await collectEvents(gateway.namespace, usageRecorded.live);
  const { backends } = gateway;
  backends.addStore('shop.example');
  backends.addStore('long-named.example', { name: 'N'.repeat(3_000), lastCompletedScanAtMs: 1_700_000_000_000 });
  backends.signals.push(...Array.from({ length: 60 }, (_, n) => signal('shop.example', n + 1)));
});
afterAll(async () => {
  await usage.stop();
  await gateway.stop();
});

/** What differs between any two answers: ids, times and counts of the minute. */
const varying = /^(x-request-id|date|x-ratelimit-(remaining|reset)|ratelimit|x-usage-remaining)$/;
/**
 * Headers of the connection, which this client ends after a HEAD, and headers that are absent when metering takes
 * longer than 150 ms.
 */
const incidental = /^(connection|keep-alive|x-usage-remaining)$/;
const own = ({ headers }: TestAnswer) => [...headers].filter(([name]) => !incidental.test(name));
const namesOf = (answer: TestAnswer) => own(answer).map(([name]) => name);
const lasting = (answer: TestAnswer) => own(answer).filter(([name]) => !varying.test(name));
const addKey = (plan = {}) =>
  gateway.backends.addKey({ scopes: ['read:stores', 'read:signals', 'read:jobs'], plan: { rpm: 1_000, ...plan } });
const eventsOf = (workspaceId: string) => usage.events.filter(({ event }) => event.workspaceId === workspaceId);

const routes = operations.filter(({ method }) => method === 'GET');

describe('HEAD', () => {
  const free = routes.filter((operation) => !isBilled(operation));

  it.each(free)('HEAD of $path, which is free, answers as GET does, without a body', async ({ path, access }) => {
    const { secret } = addKey();
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
  });

  it.each(routes.filter(({ access }) => access === 'key'))(
    'HEAD of $path needs a key, and counts like any request with the key',
    async ({ path }) => {
      const target = path.replaceAll(/\{(\w+)\}/g, 'shop.example');
      const leftAfterBoth = async () => {
        const { secret: key } = addKey();
        const both = [await call(gateway, target, { key }), await call(gateway, target, { key, method: 'HEAD' })];
        const [left, reset] = ['remaining', 'reset'].map((name) =>
          both.map(({ headers }) => Number(headers.get(`x-ratelimit-${name}`))),
        );
        return { left, isOneMinute: (reset?.[0] ?? 0) >= (reset?.[1] ?? 0) };
      };
      // The count starts again when a minute ends between the two requests; it cannot end twice in a row.
      let counted = await leftAfterBoth();
      if (!counted.isOneMinute) counted = await leftAfterBoth();
      expect(counted.left).toEqual([999, 998]);
      expect((await call(gateway, target, { method: 'HEAD' })).status).toBe(401);
    },
  );

  it('HEAD is never billed: no Reserve, no usage event, and no 402 when nothing is left', async () => {
    const included = { lookupCached: 1, lookupLive: 0, historyQuery: 1, refreshRequested: 0 };
    const { secret: key, workspaceId } = addKey({ included });
    gateway.backends.forgetCalls();
    const paths = ['/v1/stores/shop.example', '/v1/stores/shop.example/history', '/v1/signals'];
    const expectHeads = async (usageRemaining: string) => {
      for (const path of paths) {
        const { status, headers } = await call(gateway, path, { key, method: 'HEAD' });
        expect([path, status]).toEqual([path, 200]);
        // Absent when metering takes longer than 150 ms.
        expect(headers.get('x-usage-remaining') ?? usageRemaining).toBe(usageRemaining);
      }
    };
    for (let i = 0; i < 3; i++) await expectHeads('1');
    expect(gateway.backends.calls('reserve')).toEqual([]);

    for (const path of paths.slice(0, 2)) {
      expect((await call(gateway, path, { key })).status).toBe(200);
      expect((await call(gateway, path, { key })).status).toBe(402);
    }
    await expectHeads('0');
    expect(gateway.backends.calls('reserve')).toHaveLength(4);
    await expect.poll(() => eventsOf(workspaceId).length).toBe(2);
  });

  it('HEAD sends no body, so that the next bytes of the connection are the next answer', async () => {
    const { secret } = addKey();
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

describe('HEAD of operations that bill', () => {
  const billed = routes.filter((operation) => operation.served && isBilled(operation));
  /** Many rows, no row, and no store. A search reads these stores by its filters. */
  const targetsOf = (path: string) =>
    path.includes('{domain}')
      ? ['shop.example', 'long-named.example', 'unknown.example'].map((domain) => path.replace('{domain}', domain))
      : path === '/v1/stores'
        ? [`${path}?limit=50`, `${path}?technology_any=klaviyo`]
        : [`${path}?limit=50`, `${path}?type=status_changed`];

  interface Variant {
    version?: string;
    lines?: string[];
    body?: string;
  }
  const variants: [name: string, variant: Variant][] = [
    ['alone', {}],
    ...['*', ' * ', '"x", *', '*, "x"', 'W/*', '"*"', '', '"x"'].map((value): [string, Variant] => [
      `with If-None-Match: ${value}`,
      { lines: [`If-None-Match: ${value}`] },
    ]),
    ['with two lines If-None-Match', { lines: ['If-None-Match: "x"', 'If-None-Match: *'] }],
    ['with If-Match: *', { lines: ['If-Match: *'] }],
    ['with If-Match: "x"', { lines: ['If-Match: "x"'] }],
    ['with If-Modified-Since', { lines: ['If-Modified-Since: Wed, 01 Jan 2025 00:00:00 GMT'] }],
    ['with If-Unmodified-Since', { lines: ['If-Unmodified-Since: Wed, 01 Jan 2020 00:00:00 GMT'] }],
    ['with Range', { lines: ['Range: bytes=0-0'] }],
    ['with Range and If-Range', { lines: ['Range: bytes=-1', 'If-Range: "x"'] }],
    ['with Accept-Encoding', { lines: ['Accept-Encoding: br, gzip, zstd'] }],
    ['with Accept and TE', { lines: ['Accept: text/html', 'TE: trailers'] }],
    ['with Idempotency-Key', { lines: ['Idempotency-Key: the-same-key'] }],
    ['with Origin', { lines: ['Origin: https://elsewhere.example'] }],
    ['with a body', { lines: ['Content-Length: 2'], body: '{}' }],
    ['by HTTP/1.0', { version: '1.0' }],
    ['by HTTP/1.0 with keep-alive', { version: '1.0', lines: ['Connection: keep-alive'] }],
  ];

  /** The lines of the answer in their order, without what differs between any two answers. */
  async function headOf(port: number, target: string, key: string, { version = '1.1', lines = [], body }: Variant) {
    const head = [`HEAD ${target} HTTP/${version}`, 'Host: x', `Authorization: Bearer ${key}`, ...lines];
    // A second request ends the connection, so that the first answer has the headers of a kept one.
    const end = ['GET /v1/health HTTP/1.1', 'Host: x', 'Connection: close'];
    const raw = await sendRaw(port, [
      `${head.join('\r\n')}\r\n\r\n${body ?? ''}`,
      ...(version === '1.0' ? [] : [`${end.join('\r\n')}\r\n\r\n`]),
    ]);
    const [first = '', ...rest] = raw.split('\r\n\r\n');
    expect(rest.join(), target).toMatch(version === '1.0' ? /^$/ : /^HTTP\/1\.1 200 OK/);
    const [status = '', ...sent] = first.split('\r\n');
    return {
      status,
      lines: sent.map((line) => {
        const [name = '', value] = line.split(': ');
        return varying.test(name.toLowerCase()) && name !== 'X-Usage-Remaining' ? name : `${name}: ${value}`;
      }),
    };
  }

  /**
   * All lines that may depend on whether a store is in the corpus. The remaining units are absent when metering takes
   * longer than 150 ms.
   */
  const linesOf = (lines: readonly string[], usageRemaining: number) => [
    'X-Request-Id',
    'X-Content-Type-Options: nosniff',
    'X-RateLimit-Limit: 1000',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit-Policy: "minute";q=1000;w=60',
    'RateLimit',
    ...(lines.some((line) => line.startsWith('X-Usage-Remaining')) ? [`X-Usage-Remaining: ${usageRemaining}`] : []),
    'Date',
  ];
  const ofConnection = (version = '1.1') =>
    version === '1.0' ? ['Connection: close'] : ['Connection: keep-alive', 'Keep-Alive: timeout=65'];
  const ports = () => [gateway.port, Number(new URL(gateway.internal.url).port)];

  it.each(billed)('HEAD of $path has the same headers for each store and each request variant', async ({ path }) => {
    expect(billed.map(({ id }) => id)).toEqual(['getStore', 'listStores', 'getStoreHistory', 'searchSignals']);
    const { secret } = addKey();
    const tag = (await call(gateway, '/v1/stores/shop.example', { key: secret })).headers.get('etag') as string;
    const withTag: [string, Variant] = ['with the tag of a paid body', { lines: [`If-None-Match: ${tag}`] }];
    for (const port of ports()) {
      for (const [name, variant] of [...variants, withTag]) {
        for (const target of targetsOf(path)) {
          const { status, lines } = await headOf(port, target, secret, variant);
          const expected = target.includes('unknown') ? '404 Not Found' : '200 OK';
          expect([target, name, status], name).toEqual([target, name, `HTTP/1.1 ${expected}`]);
          expect(lines, `${target} ${name}`).toEqual([...linesOf(lines, 249_999), ...ofConnection(variant.version)]);
        }
      }
    }
  });

  it('HEAD of an operation that bills has the same headers when the allowance is spent', async () => {
    const included = { lookupCached: 0, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };
    const { secret } = addKey({ included });
    for (const { path } of billed) {
      for (const target of targetsOf(path)) {
        const { lines } = await headOf(gateway.port, target, secret, { lines: ['If-None-Match: *'] });
        expect(lines, target).toEqual([...linesOf(lines, 0), ...ofConnection()]);
      }
    }
  });

  it('HEAD reads no signals, so that its duration does not show how many there are', async () => {
    const { secret: key } = addKey();
    gateway.backends.forgetCalls();
    for (const { path } of billed) {
      for (const target of targetsOf(path)) await call(gateway, target, { key, method: 'HEAD' });
    }
    expect(gateway.backends.calls('getStores')).not.toEqual([]);
    expect([gateway.backends.calls('getHistory'), gateway.backends.calls('searchSignals')]).toEqual([[], []]);
  });

  it.each(billed)('HEAD of $path has only the headers of an error when it is refused or fails', async ({ path }) => {
    const target = path.replace('{domain}', 'shop.example');
    const head = async (options: Parameters<typeof call>[2], over = target) => {
      const answer = await call(gateway, over, { method: 'HEAD', ...options });
      return [answer.status, ...namesOf(answer).filter((name) => !/ratelimit|usage/.test(name))];
    };
    const { secret: key } = addKey();
    const always = ['date', 'x-content-type-options', 'x-request-id'];
    expect(await head({ key }, `${target}?unknown=1`)).toEqual([400, ...always]);
    expect(await head({})).toEqual([401, 'date', 'www-authenticate', ...always.slice(1)]);
    expect(await head({ key: gateway.backends.addKey({ scopes: [] }).secret })).toEqual([403, ...always]);
    const { secret: slow } = addKey({ rpm: 1 });
    // The second request of a minute is refused. Two minutes hardly ever end within three requests.
    const answers = [await head({ key: slow }), await head({ key: slow }), await head({ key: slow })];
    expect(answers).toContainEqual([429, 'date', 'retry-after', ...always.slice(1)]);
    for (const method of ['getStores', 'getHistory', 'searchSignals']) {
      gateway.backends.faults.set(method, () => {
        throw new Error('profiles fails');
      });
    }
    try {
      // HEAD of a search calls no service.
      expect(await head({ key })).toEqual([path.includes('{domain}') ? 500 : 200, ...always]);
    } finally {
      gateway.backends.faults.clear();
    }
  });
});
