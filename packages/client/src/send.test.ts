import { describe, expect, test, vi } from 'vitest';
import { type Answer, cut, cutWithinBody, failure, json, startScriptedService } from '../test/scripted-service.ts';
import { createClient } from './client.ts';
import { ApiError, ConnectionError, hasCode, ShopscopeError, TimeoutError } from './errors.ts';
import type { ResponseInfo } from './send.ts';

const store = json(200, { match: 'matched', store: { domain: 'shop.example' } });

describe('retries', () => {
  test.each<[string, Answer]>([
    ['the connection is cut before the response', cut],
    ['the connection is cut within the body', cutWithinBody],
    ['429', failure(429, 'rate_limited', { 'Retry-After': '7' })],
    ['503', failure(503, 'unavailable', { 'Retry-After': '1' })],
    ['500', failure(500, 'internal')],
    ['a proxy answers 502', (_, response) => response.writeHead(502).end('<html>bad gateway</html>')],
    ['a proxy answers 504 with nothing', (_, response) => response.writeHead(504).end('')],
  ])('a failed attempt is repeated after %s', async (_, first) => {
    await using service = await startScriptedService([first, store]);
    await expect(service.client.getStore('shop.example')).resolves.toMatchObject({ match: 'matched' });
    expect(service.received).toHaveLength(2);
  });

  test('a failed attempt is repeated under the same Idempotency-Key and X-Request-Id', async () => {
    await using service = await startScriptedService([cut, cutWithinBody, json(200, { results: [] })]);
    await service.client.enrichStores({ domains: ['shop.example'] }, { requestId: 'my-request' });
    const keys = service.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[\w-]{8,128}$/);
    expect(service.received.map(({ headers }) => headers['x-request-id'])).toEqual(Array(3).fill('my-request'));
    await service.client.enrichStores({ domains: ['shop.example'] });
    expect(service.received.at(-1)?.headers['idempotency-key']).not.toBe(keys[0]);
  });

  test('a failed attempt is repeated after Retry-After and not before', async () => {
    await using service = await startScriptedService([
      failure(503, 'unavailable', { 'Retry-After': '9' }),
      failure(429, 'rate_limited', { 'Retry-After': '60' }),
      store,
    ]);
    await service.client.getStore('shop.example');
    const [first = 0, second = 0] = service.pauses;
    expect(first).toBeGreaterThanOrEqual(9_000);
    expect(second).toBeGreaterThanOrEqual(60_000);
  });

  test('a failed attempt is repeated after the date of Retry-After, counted from the date of the response', async () => {
    const headers = { Date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'Retry-After': 'Wed, 21 Oct 2015 07:28:40 GMT' };
    const past = { Date: headers['Retry-After'], 'Retry-After': headers.Date };
    await using service = await startScriptedService([
      failure(503, 'unavailable', headers),
      failure(503, 'unavailable', past),
      store,
    ]);
    await service.client.getStore('shop.example');
    expect(service.pauses).toEqual([40_250, 250]);
  });

  test('a failed attempt is repeated at most maxRetries times, and the error then names the address and the reason', async () => {
    const service = await startScriptedService([store], { maxRetries: 1 });
    await service[Symbol.asyncDispose]();
    const { origin, host } = new URL(service.url);
    await expect(service.client.getUsage()).rejects.toThrow(
      new ConnectionError(`no complete response from ${origin}: connect ECONNREFUSED ${host}`),
    );
    expect(service.pauses).toHaveLength(1);
  });

  test('a failed attempt is repeated at most maxRetries times, with growing pauses', async () => {
    await using service = await startScriptedService([cut], { maxRetries: 6 });
    await expect(service.client.getUsage()).rejects.toBeInstanceOf(ConnectionError);
    expect(service.received).toHaveLength(7);
    expect(service.pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
  });

  test('a deletion whose response was lost is done when its repetition finds nothing', async () => {
    await using service = await startScriptedService([cut, failure(404, 'not_found')]);
    await expect(service.client.deleteList('lst_1')).resolves.toBeUndefined();
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(2).fill('DELETE /v1/lists/lst_1'),
    );
  });

  test('a deletion and a repeated read of a missing object are errors', async () => {
    await using service = await startScriptedService([failure(404, 'not_found'), cut, failure(404, 'not_found')]);
    await expect(service.client.removeListStore('lst_1', 'shop.example')).rejects.toMatchObject({ code: 'not_found' });
    await expect(service.client.getList('lst_1')).rejects.toMatchObject({ code: 'not_found' });
    expect(service.received).toHaveLength(3);
  });

  test('a response 204 has no value', async () => {
    await using service = await startScriptedService([(_, response) => response.writeHead(204).end()]);
    await expect(service.client.deleteList('lst_1')).resolves.toBeUndefined();
  });

  test('a failed attempt is repeated once after 500', async () => {
    await using service = await startScriptedService([failure(500, 'internal')]);
    await expect(service.client.getUsage()).rejects.toMatchObject({ code: 'internal' });
    expect(service.received).toHaveLength(2);
    expect(service.pauses[0]).toBeGreaterThanOrEqual(2_000);
  });
});

test.each([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [403, 'forbidden_scope'],
  [404, 'not_found'],
  [409, 'conflict'],
  [501, 'not_implemented'],
] as const)('the response %i is final, with its code, message and request id', async (status, code) => {
  await using service = await startScriptedService([failure(status, code)]);
  const error = await service.client.getStore('shop.example').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code, status, message: `It is ${code}.`, requestId: 'req_1' });
  expect(service.received).toHaveLength(1);
});

test('the error of 402 says which unit is spent and until when', async () => {
  const more = { reset_at: '2026-12-01T00:00:00.000Z', unit: 'lookup_cached' };
  await using service = await startScriptedService([failure(402, 'payment_required', {}, more)]);
  const error = await service.client.getStore('shop.example').catch((thrown: unknown) => thrown);
  expect(hasCode(error, 'payment_required') && [error.resetAt, error.unit]).toEqual([more.reset_at, more.unit]);
});

test('a Retry-After above a minute is thrown with its time, not waited for', async () => {
  await using service = await startScriptedService([failure(503, 'unavailable', { 'Retry-After': '3600' })]);
  await expect(service.client.getUsage()).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
  expect(service.pauses).toEqual([]);
});

test('the client sends no other request than those of the caller', async () => {
  const sendRequest = globalThis.fetch;
  const sent: string[] = [];
  await using service = await startScriptedService([store], {
    fetch: (input, init) => {
      sent.push(`${init?.method} ${input}`);
      return sendRequest(input, init);
    },
  });
  const elsewhere = vi.spyOn(globalThis, 'fetch');
  await service.client.getStore('shop.example');
  await service.client.getStore('shop.example');
  expect(sent).toEqual(Array(2).fill(`GET ${service.url}v1/stores/shop.example`));
  expect(service.received).toHaveLength(2);
  expect(elsewhere).not.toHaveBeenCalled();
  elsewhere.mockRestore();
});

test('a redirect is not followed, so the key stays at the base address', async () => {
  await using other = await startScriptedService([store]);
  await using service = await startScriptedService([
    (_, response) => response.writeHead(307, { Location: other.url }).end(),
  ]);
  await expect(service.client.getStore('shop.example')).rejects.toMatchObject({ code: 'unexpected_response' });
  expect(other.received).toEqual([]);
});

test('an attempt without a complete response ends after its time limit', async () => {
  const silent: Answer = () => undefined;
  await using service = await startScriptedService([silent], { timeoutMs: 20, maxRetries: 1 });
  await expect(service.client.getUsage()).rejects.toBeInstanceOf(TimeoutError);
  // One pause, so two attempts. A busy machine may not send them within their time.
  expect(service.pauses).toHaveLength(1);
});

test('the time limit of an attempt covers the body', async () => {
  const slow: Answer = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write('{');
  };
  await using service = await startScriptedService([slow], { timeoutMs: 50, maxRetries: 0 });
  await expect(service.client.getUsage()).rejects.toBeInstanceOf(TimeoutError);
});

test('an aborted signal ends the call with its reason and without another attempt', async () => {
  const abort = new AbortController();
  const reason = new Error('the user left');
  await using service = await startScriptedService([() => abort.abort(reason)]);
  await expect(service.client.getUsage({ signal: abort.signal })).rejects.toBe(reason);
  expect(service.received).toHaveLength(1);
});

test('the key is asked for at each attempt, so it can be rotated', async () => {
  const keys = ['first', 'second'];
  await using service = await startScriptedService([cut, store], { apiKey: async () => keys.shift() ?? '' });
  await service.client.getStore('shop.example');
  expect(service.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
});

test.each([
  ['', 'the API key is empty'],
  ['\uFEFFsvc_live_x', 'a byte order mark (U+FEFF) at position 1'],
  ['"svc_live_x"', 'a quotation mark (U+0022) at position 1'],
  ['svc_live_x\u201d', 'a quotation mark (U+201D) at position 11'],
  ['svc_live_x\n', 'a line break (U+000A) at position 11'],
  ['svc_live\ud83d\ude00x', 'a character (U+1F600) at position 9'],
  ['svc_live_x;', 'the character ; (U+003B) at position 11'],
])('the key %j is refused at once by its first foreign character, and never shown', async (apiKey, words) => {
  const baseUrl = 'https://api.example.com';
  const refused = expect.objectContaining({ message: expect.stringContaining(words) });
  expect(() => createClient({ apiKey, baseUrl })).toThrow(refused);
  await using service = await startScriptedService([store], { apiKey: async () => apiKey });
  const error = await service.client.getUsage().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ShopscopeError);
  expect(error).toEqual(refused);
  expect(String(error)).not.toContain('svc_live');
  expect([service.received, service.pauses]).toEqual([[], []]);
});

test.each(['?key=1', '/v1?', '/#docs'])(
  'a base address that ends with %j is refused, because paths follow it',
  (end) => {
    const create = () => createClient({ apiKey: 'svc_live_x', baseUrl: `https://api.example.com${end}` });
    expect(create).toThrow('baseUrl must have no query string and no fragment');
  },
);

test.each(['', '/', '/v1', '/v1/', '/v1/v1', '/gate', '/gate/v1//'])(
  'a base address that ends with %j is that of the service',
  async (end) => {
    await using service = await startScriptedService([store]);
    await createClient({ apiKey: 'svc_live_x', baseUrl: ` ${new URL(service.url).origin}${end} ` }).getStore(
      'shop.example',
    );
    expect(service.received[0]?.url).toBe(`${end.startsWith('/gate') ? '/gate' : ''}/v1/stores/shop.example`);
  },
);

test('onResponse receives attempts, request id, replay and what is left', async () => {
  const headers = { 'X-Request-Id': 'req_9', 'Idempotent-Replayed': 'true', 'X-Usage-Remaining': '41' };
  await using service = await startScriptedService([cut, json(200, { results: [] }, headers)]);
  const seen: ResponseInfo[] = [];
  await service.client.enrichStores({ domains: [] }, { onResponse: (response) => seen.push(response) });
  expect(seen).toMatchObject([{ status: 200, requestId: 'req_9', attempts: 2, replayed: true, usageRemaining: 41 }]);
});

describe('path', () => {
  test('a path encodes a URL as one segment', async () => {
    await using service = await startScriptedService([store]);
    await service.client.getStore('https://shop.example/a?b#c');
    expect(service.received[0]?.url).toBe('/v1/stores/https%3A%2F%2Fshop.example%2Fa%3Fb%23c');
  });

  test.each(['', '.', '..'])('a path refuses %j, which would name another operation', async (domain) => {
    await using service = await startScriptedService([store]);
    await expect(service.client.getStore(domain)).rejects.toThrow('is neither a domain nor an id');
    expect(service.received).toEqual([]);
  });
});

test('a profile with the same ETag is null', async () => {
  await using service = await startScriptedService([(_, response) => response.writeHead(304).end()]);
  await expect(service.client.getStoreIfChanged('shop.example', '"v1"')).resolves.toBeNull();
  expect(service.received[0]?.headers['if-none-match']).toBe('"v1"');
});

test.each(['', 'api.example.com', 'ftp://api.example.com'])('the base address %j is refused', async (baseUrl) => {
  await expect(startScriptedService([], { baseUrl })).rejects.toThrow('baseUrl');
});

test('a method never throws before its promise, and a lone surrogate in a domain is sent replaced', async () => {
  await using service = await startScriptedService([store]);
  await expect(service.client.getStore('')).rejects.toBeInstanceOf(ShopscopeError);
  const history = service.client.getStoreHistory('..');
  await expect(history.then()).rejects.toBeInstanceOf(ShopscopeError);
  await service.client.getStore('\ud800.example');
  expect(service.received.map(({ url }) => url)).toEqual(['/v1/stores/%EF%BF%BD.example']);
});
