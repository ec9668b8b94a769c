import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type ClientOptions, createClientOn } from '../src/client.ts';
import type { Platform } from '../src/platform.ts';

/** One received request. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export type Answer = (received: Received, response: ServerResponse) => unknown;

export interface ScriptedService extends AsyncDisposable {
  client: Client;
  url: string;
  received: Received[];
  /** Pauses that the client made, in milliseconds. They pass at once. */
  pauses: number[];
  /** The clock of the client. */
  nowMs: number;
}

/**
 * A server with the answers of a test: one answer for each request in turn, and the last one for all further requests.
 */
export async function startScriptedService(
  answers: readonly Answer[],
  options: Partial<ClientOptions> = {},
): Promise<ScriptedService> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body: text === '' ? undefined : JSON.parse(text) });
    const answer = answers[Math.min(received.length, answers.length) - 1];
    await answer?.(received.at(-1) as Received, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service = { received, pauses: [] as number[], nowMs: 0 };
  const platform: Platform = {
    nowMs: () => service.nowMs,
    random: () => 0.5,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      service.pauses.push(ms);
      service.nowMs += ms;
    },
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return Object.assign(service, {
    url,
    client: createClientOn(platform, { apiKey: 'svc_live_secret', baseUrl: url, ...options }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

export const failure = (status: number, code: string, headers: Record<string, string> = {}, more = {}): Answer =>
  json(status, { error: { code, message: `It is ${code}.`, request_id: 'req_1', ...more } }, headers);

/** Ends the connection without a response. */
export const cut: Answer = (_, response) => response.destroy();

/** Ends the connection within the body. */
export const cutWithinBody: Answer = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"match":');
  response.socket?.destroySoon();
};
