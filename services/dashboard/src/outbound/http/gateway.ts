import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { createDeadline, type Deadline, retry } from '@shopscope/async';
import { AppError, isErrorCode, isRetryable } from '@shopscope/errors';
import type { HttpsTowards } from '@shopscope/grpc';
import type { Origin } from '@shopscope/telemetry';
import { z } from 'zod';

/**
 * The HTTP API at the gateways' internal listener.
 *
 * - Every call has an Idempotency-Key, so a broken connection or a 503 is tried again within the time limit and bills nothing twice.
 * - An error response -> AppError with the code, the message and the details of the API.
 * - No response in time, or one that is no response of the API -> `internal`. The outcome is unknown; the same call with the same
 *   Idempotency-Key tells it.
 * - Bounds: 50 connections, responses of 16 MiB.
 */
export interface GatewayClient {
  enrich(call: EnrichCall): Promise<EnrichAnswer>;
  /** True when a gateway answers. */
  probe(): Promise<boolean>;
  close(): void;
}

export interface EnrichCall {
  /** The API key. */
  secret: string;
  domains: readonly string[];
  refresh: boolean;
  idempotencyKey: string;
  /** Network address of the person; empty when it is not known. */
  address: string;
  origin: Origin;
}

const count = z.number().int().min(0);

const enrichAnswer = z.object({
  billed: z.object({ lookup_cached: count, lookup_live: count }),
  results: z.array(
    z.object({
      match: z.enum(['matched', 'stale', 'no_match', 'error']),
      reason: z.string().nullable(),
      scan_job_id: z.string().nullable(),
      store: z.unknown(),
    }),
  ),
});

/** `results` are in the order of the domains. A `store` is not checked. */
export type EnrichAnswer = z.output<typeof enrichAnswer>;

const errorAnswer = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    reset_at: z.string().optional(),
    unit: z.string().optional(),
  }),
});

/** The gateway responds within 10.5 s. */
const attemptMs = 12_000;
const totalMs = 20_000;
const probeMs = 2_000;
const pausesMs = [200, 1_000];
const connectionsMax = 50;
const responseMaxBytes = 16 * 1024 * 1024;

/** `towards` is the security of connections to the gateway; undefined: plain HTTP. */
export function createGatewayClient(options: {
  address: string;
  towards: (() => HttpsTowards) | undefined;
}): GatewayClient {
  const [host = '', port = ''] = options.address.split(':');
  const { towards } = options;
  const pool = { keepAlive: true, maxSockets: connectionsMax };
  // A resumed TLS session would not show the server's certificate again.
  const agents = { http: new HttpAgent(pool), https: new HttpsAgent({ ...pool, maxCachedSessions: 0 }) };

  const send = (
    {
      method,
      path,
      headers = {},
      body,
    }: { method: string; path: string; headers?: Record<string, string>; body?: Buffer },
    deadline: Deadline,
  ) =>
    new Promise<Response>((resolve, reject) => {
      const signal = AbortSignal.timeout(deadline.timeoutMs(attemptMs));
      const target = { host, port, path, method, headers, signal };
      const request = towards
        ? requestHttps({ ...target, agent: agents.https, ...towards() })
        : requestHttp({ ...target, agent: agents.http });
      const fail = (cause: unknown) => reject(unreachable(cause));
      request.on('error', fail);
      request.on('response', (response) => readBody(response).then(resolve, fail));
      request.end(body);
    });

  return {
    async enrich({ secret, domains, refresh, idempotencyKey, address, origin }) {
      const body = Buffer.from(JSON.stringify({ domains, refresh }));
      const headers = {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
        'Idempotency-Key': idempotencyKey,
        'X-Request-Id': origin.requestId,
        traceparent: origin.traceparent,
        ...(address !== '' && { 'X-Forwarded-For': address }),
      };
      const deadline = createDeadline(totalMs);
      const pauseMs = (attempt: number, error: unknown) => (isRetryable(error) ? pausesMs[attempt - 1] : undefined);
      return retry(
        async () => {
          const response = await send({ method: 'POST', path: '/v1/stores/enrich', headers, body }, deadline);
          if (response.status !== 200) throw errorOf(response);
          const answer = enrichAnswer.safeParse(parse(response.text));
          if (!answer.success || answer.data.results.length !== domains.length) throw notTheApi(response.status);
          return answer.data;
        },
        { deadline, pauseMs },
      );
    },
    async probe() {
      const { status } = await send({ method: 'GET', path: '/v1/health' }, createDeadline(probeMs));
      return status === 200;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Response {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

async function readBody(response: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > responseMaxBytes) throw new Error(`the response has more than ${responseMaxBytes} bytes`);
    chunks.push(chunk);
  }
  const retryAfter = response.headers['retry-after'];
  return { status: response.statusCode ?? 0, retryAfter, text: Buffer.concat(chunks).toString('utf8') };
}

function errorOf({ status, retryAfter, text }: Response): AppError {
  const parsed = errorAnswer.safeParse(parse(text));
  if (!parsed.success || !isErrorCode(parsed.data.error.code)) return notTheApi(status);
  const { code, message, reset_at, unit } = parsed.data.error;
  const seconds = Number(retryAfter);
  return new AppError(code, message, {
    status,
    retryable: code === 'unavailable' || code === 'concurrency_limited',
    details: {
      ...(reset_at !== undefined && { reset_at }),
      ...(unit !== undefined && { unit }),
      ...(retryAfter !== undefined && Number.isInteger(seconds) && { retry_after: seconds }),
    },
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const outcomeUnknown = 'The API did not answer. Send the form again: it bills nothing twice.';

const unreachable = (cause: unknown) =>
  new AppError('unavailable', outcomeUnknown, { cause, retryable: true, internal: 'the gateway cannot be reached' });

const notTheApi = (status: number) =>
  new AppError('internal', outcomeUnknown, { internal: `status ${status} with a body that is not the API's` });
