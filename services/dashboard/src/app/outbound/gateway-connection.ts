import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
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

/** The gateway responds within 10.5 s. */
const attemptMs = 12_000;
const maxConnections = 50;
const maxResponseBytes = 16 * 1024 * 1024;

/**
 * Connections to the gateways' internal listener. Bounds: 50 connections, 12 s for an attempt, responses of 16 MiB.
 *
 * `towards` secures the connections to the gateway. Undefined: plain HTTP.
 */
export function createGatewayConnection(options: { address: string; towards: (() => HttpsTowards) | undefined }) {
  const [host = '', port = ''] = options.address.split(':');
  const { towards } = options;
  const pool = { keepAlive: true, maxSockets: maxConnections };
  // In a resumed TLS session, the server would not send its certificate again.
  const agents = { http: new HttpAgent(pool), https: new HttpsAgent({ ...pool, maxCachedSessions: 0 }) };
  return {
    send: ({ method, path, headers = {}, body, signal }: GatewayRequest, deadline: Deadline) =>
      new Promise<GatewayResponse>((resolve, reject) => {
        const timeout = AbortSignal.timeout(deadline.timeoutMs(attemptMs));
        const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
        const target = { host, port, path, method, headers, signal: either };
        const request = towards
          ? requestHttps({ ...target, agent: agents.https, ...towards() })
          : requestHttp({ ...target, agent: agents.http });
        request.on('error', reject);
        request.on('response', (response) => readBody(response).then(resolve, reject));
        request.end(body);
      }),
    close() {
      agents.http.destroy();
      agents.https.destroy();
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
  const headers = Object.fromEntries(
    Object.entries(response.headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return { status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString('utf8') };
}
