import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDeadline } from '@shopscope/async';
import { afterEach, describe, expect, it } from 'vitest';
import { createGatewayClient } from './gateway.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/**
 * Starts a server with this behaviour. Returns a client of it, the Idempotency-Keys that the server received, and the
 * pauses of the client.
 */
async function withServer(answer: (n: number, ...request: Parameters<RequestListener>) => void) {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    request.resume().on('end', () => answer(keys.length, request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pausesMs: number[] = [];
  const clock = { sleep: async (ms: number) => void pausesMs.push(ms) };
  const client = createGatewayClient({ address, towards: undefined, clock });
  cleanups.push(
    client.close,
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const enrich = () =>
    client.enrich({
      secret: 'secret',
      domains: ['a.example'],
      refresh: false,
      idempotencyKey: 'the-same-key',
      address: '',
      origin: { requestId: 'req_test', traceparent: '', environment: 'live' },
    });
  const file = () =>
    client.file({
      accept: 'application/x-ndjson',
      path: '/v1/jobs/job_u1/results',
      secret: 'secret',
      address: '',
      origin: { requestId: 'req_test', traceparent: '', environment: 'live' },
    });
  const fetchHistory = (isSentOnce: boolean) => {
    const origin = { requestId: 'req_test', traceparent: '', environment: 'live' } as const;
    const send = client.fetchFor({ address: '', origin, deadline: createDeadline(10_000), isSentOnce });
    return send('http://gateway/v1/stores/a.example/history');
  };
  return { enrich, file, fetchHistory, keys, pausesMs };
}

const result = { match: 'no_match', reason: 'not_in_corpus', scan_job_id: null, store: null };
const whole = { billed: { lookup_cached: 0, lookup_live: 0 }, results: [result] };
const errorOf = (code: string, more: object = {}) => ({
  error: { code, message: `The ${code}.`, request_id: 'x', ...more },
});

describe('calls of a gateway', () => {
  it.each([
    ['a connection that breaks', (_: number) => undefined],
    ['503 unavailable', (_: number) => errorOf('unavailable')],
    ['503 concurrency_limited', (_: number) => errorOf('concurrency_limited')],
  ])('a call of a gateway is tried again under the same Idempotency-Key after %s', async (_, failure) => {
    const { enrich, keys } = await withServer((n, request, response) => {
      const body = n === 1 ? failure(n) : whole;
      if (body === undefined) return request.socket.destroy();
      response.writeHead(n === 1 ? 503 : 200).end(JSON.stringify(body));
    });
    expect(await enrich()).toEqual(whole);
    expect(keys).toEqual(['the-same-key', 'the-same-key']);
  });

  it.each([
    [429, errorOf('concurrency_limited')],
    [503, errorOf('unavailable')],
  ])(
    'a call that gets %i with a longer Retry-After than two seconds is not repeated, and says when to go on',
    async (status, body) => {
      const { enrich, keys } = await withServer((_n, _request, response) => {
        response.writeHead(status, { 'Retry-After': '3' }).end(JSON.stringify(body));
      });
      await expect(enrich()).rejects.toMatchObject({ status, details: { retry_after: 3 } });
      expect(keys).toHaveLength(1);
    },
  );

  it.each([
    ['2', [2_000]],
    ['1', [1_000]],
    ['0', [200]],
    ['soon', [200]],
  ])('a call of a gateway is not repeated before a Retry-After of %s', async (retryAfter, pauses) => {
    const { enrich, keys, pausesMs } = await withServer((n, _request, response) => {
      if (n === 2) return response.end(JSON.stringify(whole));
      response.writeHead(503, { 'Retry-After': retryAfter }).end(JSON.stringify(errorOf('unavailable')));
    });
    expect(await enrich()).toEqual(whole);
    expect([keys.length, pausesMs]).toEqual([2, pauses]);
  });

  it.each([
    [
      402,
      errorOf('payment_required', { reset_at: 'then', unit: 'lookup_cached' }),
      { reset_at: 'then', unit: 'lookup_cached' },
    ],
    [429, errorOf('rate_limited'), { retry_after: 7 }],
    [401, errorOf('unauthorized'), {}],
  ])(
    'a call that the gateway refuses with %i is not repeated, and has the words and details of the API',
    async (status, body, details) => {
      const { enrich, keys } = await withServer((_n, _request, response) => {
        response.writeHead(status, status === 429 ? { 'Retry-After': '7' } : {}).end(JSON.stringify(body));
      });
      await expect(enrich()).rejects.toMatchObject({ status, publicMessage: body.error.message, details });
      expect(keys).toHaveLength(1);
    },
  );

  it.each([
    ['a page of a proxy', 200, '<html>'],
    ['too few results', 200, JSON.stringify({ ...whole, results: [] })],
    ['an error of a proxy', 502, 'Bad gateway'],
  ])('a call of a gateway that gets %s says that the outcome is unknown', async (_, status, text) => {
    const { enrich } = await withServer((_n, _request, response) => response.writeHead(status).end(text));
    await expect(enrich()).rejects.toMatchObject({
      code: 'internal',
      publicMessage: expect.stringContaining('bills nothing twice'),
    });
  });

  it.each([
    ['whose connection breaks', (request: IncomingMessage) => request.socket.destroy()],
    [
      'that gets 503',
      (_: IncomingMessage, response: ServerResponse) =>
        response.writeHead(503).end(JSON.stringify(errorOf('unavailable'))),
    ],
  ])('a call that is billed and has no Idempotency-Key is sent once, also a call %s', async (_, fail) => {
    const { fetchHistory, keys } = await withServer((_n, request, response) => fail(request, response));
    const settled = (isSentOnce: boolean) => fetchHistory(isSentOnce).catch(() => undefined);
    await settled(true);
    expect(keys).toHaveLength(1);
    await settled(false);
    expect(keys).toHaveLength(4);
  });

  it('a call of a gateway that gets more than 16 MiB ends without reading it all', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    let sent = 0;
    const { enrich } = await withServer((_n, _request, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && sent < 1_000) {
          sent++;
          if (!response.write(chunk)) return response.once('drain', write);
        }
      };
      write();
    });
    await expect(enrich()).rejects.toMatchObject({ publicMessage: expect.stringContaining('bills nothing twice') });
    expect(sent).toBeLessThan(200);
  });
});

describe('a file of a gateway', () => {
  const all = async (parts: AsyncIterable<string>) => (await Array.fromAsync(parts)).join('');

  it('a file arrives with whole characters, wherever the bytes are cut', async () => {
    const accepts: unknown[] = [];
    const { file } = await withServer(async (_n, request, response) => {
      accepts.push(request.headers.accept);
      response.writeHead(200);
      for (const byte of Buffer.from('{"name":"Größe €"}\n')) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });
    expect(await all((await file()).text)).toBe('{"name":"Größe €"}\n');
    expect(accepts).toEqual(['application/x-ndjson']);
  });

  it('a file that the gateway cuts ends with an error', async () => {
    const { file } = await withServer((_n, request, response) => {
      response.writeHead(200);
      response.write('{"a":1}\n', () => request.socket.destroy());
    });
    await expect(all((await file()).text)).rejects.toThrow('aborted');
  });

  it('a file that the gateway refuses has the words of the API', async () => {
    const { file } = await withServer((_n, _request, response) => {
      response.writeHead(404).end(JSON.stringify(errorOf('not_found')));
    });
    await expect(file()).rejects.toMatchObject({ status: 404, publicMessage: 'The not_found.' });
  });
});
