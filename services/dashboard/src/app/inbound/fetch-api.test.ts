import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { afterEach, expect, it } from 'vitest';
import { sendFetchResponse, toFetchRequest } from './fetch-api.ts';

const base = 'https://dashboard.example';
const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: (sent: Request) => Promise<Response>) {
  const done = Promise.withResolvers<unknown>();
  const server = createServer((incoming, outgoing) => {
    const [asked, response] = [incoming as ExpressRequest, outgoing as ExpressResponse];
    asked.originalUrl = incoming.url ?? '';
    response.status = (status) => {
      response.statusCode = status;
      return response;
    };
    response.append = (name, value = '') => response.appendHeader(name, value) as ExpressResponse;
    answer(toFetchRequest(asked, response, base))
      .then((made) => sendFetchResponse(response, made))
      .then(done.resolve, done.resolve);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, done: done.promise };
}

it.each([
  ['/sign-in?next=%2F', `${base}/sign-in?next=%2F`],
  ['//evil.example/path', `${base}//evil.example/path`],
  ['/\\\\evil.example', `${base}///evil.example`],
  ['/@evil.example:99999', `${base}/@evil.example:99999`],
])('the address of a request has the configured base, whatever its headers are: %s', async (path, url) => {
  const seen: string[] = [];
  const { port, done } = await serve(async (sent) => {
    seen.push(sent.url);
    return new Response(null, { status: 204 });
  });
  const headers = { host: 'a:99999999', 'x-forwarded-host': '[', 'x-forwarded-proto': ':' };
  request({ port, path, headers }, (response) => response.resume()).end();
  expect([await done, seen]).toEqual([undefined, [url]]);
});

it('a client that disconnects aborts the request and cancels the response, and nothing is thrown', async () => {
  const aborted = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const { port, done } = await serve(async (sent) => {
    sent.signal.addEventListener('abort', () => aborted.resolve());
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.alloc(64 * 1024)),
      cancel: () => cancelled.resolve(),
    });
    return new Response(body);
  });
  const asked = request({ port, path: '/' }, (response) => response.once('data', () => asked.destroy()));
  asked.on('error', () => {});
  asked.end();
  await Promise.all([aborted.promise, cancelled.promise]);
  expect(await done).toBeUndefined();
});
