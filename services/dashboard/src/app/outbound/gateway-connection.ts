import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Deadline } from '@shopscope/async';
import type { HttpsTowards } from '@shopscope/grpc';

interface GatewayRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | undefined;
  signal?: AbortSignal | null | undefined;
}

export interface GatewayResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A response whose body is read while it arrives. It throws if the body ends early. */
export interface OpenResponse {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Buffer>;
}

/** The gateway responds within 10.5 s. */
const attemptMs = 12_000;
/** A body that is read while it arrives may pause this long, also because its reader is slow. */
const pauseMs = 60_000;
const maxConnections = 50;
const maxResponseBytes = 16 * 1024 * 1024;

/**
 * Connections to the gateways' internal listener. Bounds: 50 connections, 12 s for an attempt, responses of 16 MiB. `open` has 50 connections
 * of its own, so that slow readers delay no other call. It responds when the headers have arrived. Its body has no bound, but a pause of 60 s
 * ends it.
 *
 * `towards` secures the connections to the gateway. If it is undefined, they use plain HTTP.
 */
export function createGatewayConnection(options: { address: string; towards: (() => HttpsTowards) | undefined }) {
  const [host = '', port = ''] = options.address.split(':');
  const { towards } = options;
  const pool = { keepAlive: true, maxSockets: maxConnections };
  // In a resumed TLS session, the server would not send its certificate again.
  const newAgents = () => ({ http: new HttpAgent(pool), https: new HttpsAgent({ ...pool, maxCachedSessions: 0 }) });
  const [calls, streams] = [newAgents(), newAgents()];
  const start = (agents: typeof calls, target: RequestOptions) =>
    towards
      ? requestHttps({ ...target, agent: agents.https, ...towards() })
      : requestHttp({ ...target, agent: agents.http });
  return {
    send: ({ method, path, headers = {}, body, signal }: GatewayRequest, deadline: Deadline) =>
      new Promise<GatewayResponse>((resolve, reject) => {
        const timeout = AbortSignal.timeout(deadline.timeoutMs(attemptMs));
        const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
        const request = start(calls, { host, port, path, method, headers, signal: either });
        request.on('error', reject);
        request.on('response', (response) => readBody(response).then(resolve, reject));
        request.end(body);
      }),
    open: ({ method, path, headers = {} }: Omit<GatewayRequest, 'body' | 'signal'>) =>
      new Promise<OpenResponse>((resolve, reject) => {
        const request = start(streams, { host, port, path, method, headers, timeout: pauseMs });
        const late = () => request.destroy(new Error('the gateway sends nothing'));
        const timer = setTimeout(late, attemptMs);
        request.on('timeout', late);
        request.on('error', (error) => {
          clearTimeout(timer);
          reject(error);
        });
        request.on('response', (body) => {
          clearTimeout(timer);
          resolve({ status: body.statusCode ?? 0, headers: headersOf(body), body });
        });
        request.end();
      }),
    close() {
      for (const agents of [calls, streams]) {
        agents.http.destroy();
        agents.https.destroy();
      }
    },
  };
}

async function readBody(response: IncomingMessage): Promise<GatewayResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) throw new Error(`the response has more than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
