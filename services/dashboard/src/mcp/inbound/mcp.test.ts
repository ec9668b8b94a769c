import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { newApiKey } from '@shopscope/ids';
import { silentTelemetry } from '@shopscope/testing';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { LimitError } from '../../app/domain/limit-error.ts';
import type { McpCaller } from '../operations/mcp.ts';
import { type Mcp, type ServeMcpOptions, serveMcp } from './mcp.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server whose messages are admitted by `admit`. */
async function serve(admit: Mcp['admit'], onAnswer: ServeMcpOptions['onAnswer'] = () => {}) {
  const clock = new ManualClock();
  const app = express();
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  app.use((_request, response, next) => {
    Object.assign(response.locals, {
      address: '203.0.113.7',
      origin: { requestId: 'req_test', traceparent: '', environment: 'live' },
    });
    next();
  });
  const mcp: Mcp = { admit, answer: async () => Response.json({ answered: true }) };
  app.all('/mcp', serveMcp({ mcp, url, clock, logger: silentTelemetry().logger, onAnswer }));
  return { clock, port, url };
}

describe('MCP requests', () => {
  it.each([
    ['a test key', newApiKey('test'), 'test'],
    ['a live key', newApiKey('live'), 'live'],
    ['a malformed key', 'svc_test_wrong', 'live'],
  ])('an MCP message with %s counts for its environment, also in the log', async (_, key, environment) => {
    const answered = Promise.withResolvers<string>();
    let logged: unknown;
    const { url } = await serve(
      async (_, { origin }) => {
        logged = origin.environment;
        throw new AppError('internal', 'It failed.');
      },
      (answer) => answered.resolve(answer.environment),
    );
    await fetch(`${url}/mcp`, { method: 'POST', body: '{}', headers: { authorization: `Bearer ${key}` } });
    expect([await answered.promise, logged]).toEqual([environment, environment]);
  });

  it('an MCP message whose body comes too slowly leaves its place and gets 408', async () => {
    const admitted = Promise.withResolvers<void>();
    let ended = 0;
    const { clock, port } = await serve(async () => {
      admitted.resolve();
      return { end: () => void ended++ } as McpCaller;
    });
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100\r\n\r\n{"a"`);
    await admitted.promise;
    // The body is being read.
    await new Promise((done) => setImmediate(done));
    clock.advance(4_999);
    await new Promise((done) => setImmediate(done));
    expect([ended, text]).toEqual([0, '']);
    clock.advance(1);
    await once(socket, 'close');
    expect(ended).toBe(1);
    expect(text).toMatch(/^HTTP\/1\.1 408 .*"jsonrpc":"2\.0".*The message did not come in time\./s);
  });

  it.each([
    ['a limit of its caller', new LimitError('concurrency_limited', 'Too many.', 3), 429, '3'],
    ['too many messages in all', new LimitError('unavailable', 'Too many.', 2), 503, '2'],
  ])(
    'an MCP message beyond %s is refused as a message of the protocol, with the time to wait',
    async (_, error, status, seconds) => {
      const { url } = await serve(() => Promise.reject(error));
      const response = await fetch(`${url}/mcp`, { method: 'POST', body: '{}' });
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, seconds]);
      expect(await response.json()).toEqual({
        jsonrpc: '2.0',
        error: {
          code: -32_000,
          message: 'Too many.',
          data: { code: error.code, request_id: 'req_test', retry_after: Number(seconds) },
        },
        id: null,
      });
    },
  );
});
