import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, type ScriptedService, startScriptedService } from '../../client/test/scripted-service.ts';
import { createMcpHandler } from '../src/index.ts';

describe('the server over HTTP', () => {
  let api: ScriptedService;
  let server: Server;
  let url: string;
  let nowMs = 0;
  const revoked = new Set<string>();
  const sums = new Map<string, number>();

  beforeAll(async () => {
    api = await startScriptedService([
      (received, response) => {
        const key = String(received.headers.authorization).replace('Bearer ', '');
        const failure = (code: string) => ({ error: { code, message: `It is ${code}.`, request_id: 'req_1' } });
        if (key === 'svc_live_wrong' || revoked.has(key)) return json(401, failure('unauthorized'))(received, response);
        if (received.url === '/v1/account') return json(200, { key: { id: `id-of-${key}` } })(received, response);
        return json(404, failure('not_found'))(received, response);
      },
    ]);
    let handler: (request: Request) => Promise<Response>;
    server = createServer(async (request, response) => {
      const answer = await handler(
        new Request(new URL(request.url ?? '/', url), {
          method: request.method ?? 'GET',
          headers: request.headers as Record<string, string>,
          ...(request.method === 'POST' && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    handler = createMcpHandler({
      apiUrl: api.url,
      publicUrl: url,
      budgetStore: {
        async add({ keyId, day }, units) {
          const key = `${keyId} ${day}`;
          sums.set(key, (sums.get(key) ?? 0) + units);
          return sums.get(key) as number;
        },
      },
      dailyUnits: 3,
      now: () => new Date('2026-11-24T12:00:00Z'),
      monotonicMs: () => nowMs,
      readPage: async () => '',
    });
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await api[Symbol.asyncDispose]();
  });
  beforeEach(() => sums.clear());

  const connect = async (key = 'svc_live_good') => {
    const model = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await model.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as never);
    return model;
  };
  const post = (headers: Record<string, string>, body: string = '{"jsonrpc":"2.0","id":1,"method":"ping"}') =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

  test('the official client lists tools and calls them with the key of its header', async () => {
    const model = await connect();
    expect((await model.listTools()).tools).toHaveLength(8);
    const result = await model.callTool({ name: 'look_up_store', arguments: { domain: 'unknown.example' } });
    expect(result.structuredContent).toMatchObject({ known: false, units_left_today: 3 });
    expect(api.received.at(-1)?.headers.authorization).toBe('Bearer svc_live_good');
    await model.close();
  });

  test('keys have budgets of their own', async () => {
    sums.set('id-of-svc_live_good 2026-11-24', 3);
    const refused = await (await connect()).callTool({ name: 'look_up_store', arguments: { domain: 'a.example' } });
    expect(refused.isError).toBe(true);
    const other = await connect('svc_live_other');
    expect((await other.callTool({ name: 'look_up_store', arguments: { domain: 'a.example' } })).isError).toBeFalsy();
  });

  test.each([
    ['no key', {}, 401],
    ['a wrong key', { authorization: 'Bearer svc_live_wrong' }, 401],
    ['a page of another site', { authorization: 'Bearer svc_live_good', origin: 'https://evil.example' }, 403],
  ])('%s is refused', async (_, headers, status) => {
    expect((await post(headers as never)).status).toBe(status);
  });

  test('another Host is refused, so a page cannot rebind its name to the server', async () => {
    const handler = createMcpHandler({ publicUrl: 'https://shopscope.example' } as never);
    const response = await handler(new Request(url, { method: 'POST', headers: { host: 'evil.example' }, body: '{}' }));
    expect(response.status).toBe(403);
  });

  test('GET and DELETE are refused, because there are no sessions', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(url, { method, headers: { authorization: 'Bearer svc_live_good' } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('a body that is too large or no JSON is refused', async () => {
    const headers = { authorization: 'Bearer svc_live_good' };
    expect((await post(headers, `"${'x'.repeat(300_000)}"`)).status).toBe(413);
    expect((await post(headers, '{')).status).toBe(400);
  });

  test('a revoked key is refused within a minute', async () => {
    await connect('svc_live_leaving');
    revoked.add('svc_live_leaving');
    nowMs += 60_001;
    await expect(connect('svc_live_leaving')).rejects.toMatchObject({ code: 401 });
  });
});
