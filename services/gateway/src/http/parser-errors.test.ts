import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { handleParserErrors } from './parser-errors.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\n\r\n`;
const garbage = 'nonsense\r\n\r\n';
const connectRequest = head('CONNECT shop.example:443');
/** More than the buffers of a connection hold. */
const large = Buffer.alloc(16 * 1024 * 1024, 'x');

/** A server whose responses the test sends, and a client that reads only when the test calls `read`. */
async function setUp(options: { timeoutMs?: number } = {}) {
  const errors: (string | undefined)[] = [];
  const server = createServer();
  server.timeout = options.timeoutMs ?? 0;
  const parserErrors = handleParserErrors(server, (_code, requestId) => errors.push(requestId));
  const responses: ServerResponse[] = [];
  let closed = 0;
  server.on('request', (message, response) => {
    parserErrors.add(message, response);
    response.once('close', () => closed++);
    responses.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1').replaceAll('x', '');
  });
  socket.pause();
  cleanups.push(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  return {
    socket,
    errors,
    /** Resolves when the server has this many requests. */
    async requests(...lines: string[]) {
      socket.write(lines.map(head).join(''));
      await expect.poll(() => responses.length).toBe(lines.length);
      return responses;
    },
    /** The statuses that the client receives until the connection closes. */
    async read() {
      socket.resume();
      await once(socket, 'close');
      return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    },
    closed: () => closed,
  };
}

it.each([
  ['invalid HTTP', garbage],
  ['CONNECT', connectRequest],
])('a response that waits for a slow reader of the one before is not overtaken by a 400: %s', async (_, rest) => {
  const { socket, errors, requests, read, closed } = await setUp();
  const [first, second] = await requests('GET /1', 'GET /2');
  second?.writeHead(201).end('second');
  first?.end(large);
  socket.write(rest);
  await expect.poll(() => errors).toEqual([undefined]);
  expect(await read()).not.toContain(400);
  await expect.poll(closed).toBe(2);
});

it.each([
  ['invalid HTTP', garbage],
  ['CONNECT', connectRequest],
])('a slow reader gets the whole response that came before the input, and the 400 after it: %s', async (_, rest) => {
  const { socket, errors, requests, read, closed } = await setUp();
  const [first] = await requests('GET /1');
  first?.end(large);
  socket.write(rest);
  await expect.poll(() => errors).toEqual([expect.stringMatching(/^req_/)]);
  expect(await read()).toEqual([200, 400]);
  await expect.poll(closed).toBe(1);
});

it('a request that CONNECT follows on its connection ends when its caller resets the connection', async () => {
  const { socket, errors, requests, closed } = await setUp();
  const [first] = await requests('GET /1');
  first?.end(large);
  socket.write(connectRequest);
  await expect.poll(() => errors).toHaveLength(1);
  socket.resetAndDestroy();
  await expect.poll(closed).toBe(1);
});

it('the inactivity timeout of the server also ends a connection after CONNECT when the caller reads nothing', async () => {
  const { socket, errors, requests, closed } = await setUp({ timeoutMs: 200 });
  const [first] = await requests('GET /1');
  first?.end(large);
  socket.write(connectRequest);
  await expect.poll(() => errors).toHaveLength(1);
  await expect.poll(closed).toBe(1);
});
