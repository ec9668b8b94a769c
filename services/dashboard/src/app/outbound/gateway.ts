import { createDeadline, type Deadline, retry } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { AppError, isErrorCode, isRetryable } from '@shopscope/errors';
import type { HttpsTowards } from '@shopscope/grpc';
import type { Origin } from '@shopscope/telemetry';
import { z } from 'zod';
import { noAnswer } from '../domain/no-answer.ts';
import { createGatewayConnection, type GatewayResponse } from './gateway-connection.ts';

export interface Caller {
  /** The API key. */
  secret: string;
  /** The network address of the person; empty if it is not known. */
  address: string;
  origin: Origin;
}

export interface EnrichCall extends Caller {
  domains: readonly string[];
  refresh: boolean;
  idempotencyKey: string;
}

export interface GatewayCall extends Caller {
  method: string;
  /** The path with its query. */
  path: string;
  /** The body as JSON. */
  body: string | undefined;
  idempotencyKey: string | undefined;
}

export interface FileCall extends Caller {
  path: string;
  /** The media types, as in the header Accept. */
  accept: string;
}

export interface OpenFile {
  type: string;
  text: AsyncIterable<string>;
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

/** `results` are in the order of the domains. The content of `store` is not checked. */
export type EnrichAnswer = z.output<typeof enrichAnswer>;

const errorAnswer = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    reset_at: z.string().optional(),
    unit: z.string().optional(),
  }),
});

const totalMs = 20_000;
const probeMs = 2_000;
const pausesMs = [200, 1_000];

/**
 * The HTTP API at the gateways' internal listener.
 *
 * - Each call is a GET or has an Idempotency-Key. A broken connection, or a 503, also one for too many concurrent requests, is therefore
 *   retried within the time limit, and billed once. No attempt begins before its Retry-After. A Retry-After above 2 s ends the attempts.
 * - An error response -> AppError with the code, the message and the details of the API.
 * - `call` and a `fetchFor` with `isSentOnce` send one attempt only. `call` returns every response.
 * - No response in time, or a response that is not of the API -> `internal`. The outcome is unknown until the same call is repeated with
 *   the same Idempotency-Key.
 */
export function createGatewayClient(options: {
  address: string;
  towards: (() => HttpsTowards) | undefined;
  clock?: Pick<Clock, 'sleep'>;
}) {
  const { clock = systemClock } = options;
  const connection = createGatewayConnection(options);
  /** A failed connection becomes `unavailable`. */
  const send = (...call: Parameters<typeof connection.send>) =>
    connection.send(...call).catch((cause: unknown) => {
      throw unreachable(cause);
    });
  return {
    async enrich({ domains, refresh, idempotencyKey, ...caller }: EnrichCall): Promise<EnrichAnswer> {
      const body = Buffer.from(JSON.stringify({ domains, refresh }));
      const headers = apiHeaders(caller, body, idempotencyKey);
      const deadline = createDeadline(totalMs);
      return retry(
        async () => {
          const response = await send({ method: 'POST', path: '/v1/stores/enrich', headers, body }, deadline);
          if (response.status !== 200) throw errorOf(response);
          const answer = enrichAnswer.safeParse(parse(response.text));
          if (!answer.success || answer.data.results.length !== domains.length) throw notTheApi(response.status);
          return answer.data;
        },
        { deadline, pauseMs, clock },
      );
    },
    async call({ method, path, body: text, idempotencyKey, ...caller }: GatewayCall): Promise<GatewayResponse> {
      const body = text === undefined ? undefined : Buffer.from(text);
      const headers = apiHeaders(caller, body, idempotencyKey);
      return connection.send({ method, path, headers, body }, createDeadline(totalMs)).catch((cause: unknown) => {
        throw noAnswer(cause);
      });
    },
    /**
     * Opens a file and returns its media type and its text as it arrives. An error response -> AppError. The gateway ends the body early ->
     * the text ends with an error, so that an incomplete text does not look complete.
     */
    async file({ path, accept, ...caller }: FileCall): Promise<OpenFile> {
      const headers = { ...apiHeaders(caller, undefined, undefined), Accept: accept };
      const {
        status,
        headers: answered,
        body,
      } = await connection.open({ method: 'GET', path, headers }).catch((cause: unknown) => {
        throw unreachable(cause);
      });
      if (status === 200) return { type: answered['content-type'] ?? '', text: textOf(body) };
      let text = '';
      for await (const part of textOf(body)) if (text.length < maxErrorLength) text += part;
      throw errorOf({ status, headers: answered, text });
    },
    /** A `fetch` for @shopscope/client. It sends the ids of the request and the address of the caller. It follows no redirect. */
    fetchFor({
      isSentOnce = false,
      ...caller
    }: Pick<Caller, 'address' | 'origin'> & { deadline: Deadline; isSentOnce?: boolean }): typeof globalThis.fetch {
      return async (input, { method = 'GET', headers, body, signal } = {}) => {
        const { pathname, search } = new URL(String(input));
        const bytes = typeof body === 'string' ? Buffer.from(body) : undefined;
        const request = {
          method,
          path: pathname + search,
          headers: {
            ...Object.fromEntries(new Headers(headers)),
            ...(bytes && { 'content-length': String(bytes.length) }),
            ...headersOf(caller),
          },
          body: bytes,
          signal,
        };
        const deadline = caller.deadline.capped(totalMs);
        let unavailable: GatewayResponse | undefined;
        const attempt = async () => {
          unavailable = undefined;
          const response = await send(request, deadline);
          if (response.status !== 503) return response;
          unavailable = response;
          throw errorOf(response);
        };
        const pause = isSentOnce ? () => undefined : pauseMs;
        const response = await retry(attempt, {
          deadline,
          pauseMs: pause,
          clock,
          ...(signal && { abort: signal }),
        }).catch((error) => {
          if (unavailable) return unavailable;
          throw error instanceof AppError ? new Error(error.internal, { cause: error.cause }) : error;
        });
        return new Response(response.text || null, { status: response.status, headers: response.headers });
      };
    },
    async probe(): Promise<boolean> {
      const { status } = await send({ method: 'GET', path: '/v1/health' }, createDeadline(probeMs));
      return status === 200;
    },
    close: connection.close,
  };
}

/** After a longer Retry-After there is no further attempt, because the person or the page would wait for it. */
const longestRetryAfterMs = 2_000;

function pauseMs(attempt: number, error: unknown): number | undefined {
  const shortest = isRetryable(error) ? pausesMs[attempt - 1] : undefined;
  if (shortest === undefined) return undefined;
  const retryAfterMs = Number(AppError.from(error).details.retry_after ?? 0) * 1_000;
  return retryAfterMs > longestRetryAfterMs ? undefined : Math.max(shortest, retryAfterMs);
}

const apiHeaders = (caller: Caller, body: Buffer | undefined, idempotencyKey: string | undefined) => ({
  Authorization: `Bearer ${caller.secret}`,
  ...(body && { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
  ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  ...headersOf(caller),
});

const headersOf = ({ address, origin }: Pick<Caller, 'address' | 'origin'>) => ({
  'X-Request-Id': origin.requestId,
  traceparent: origin.traceparent,
  ...(address !== '' && { 'X-Forwarded-For': address }),
});

function errorOf({ status, headers, text }: GatewayResponse): AppError {
  const parsed = errorAnswer.safeParse(parse(text));
  if (!parsed.success || !isErrorCode(parsed.data.error.code)) return notTheApi(status);
  const { code, message, reset_at, unit } = parsed.data.error;
  const retryAfter = headers['retry-after'];
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

/** An error of the API is shorter. */
const maxErrorLength = 64 * 1024;

async function* textOf(body: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const outcomeUnknown = 'The API did not answer. Send the form again: it bills nothing twice.';

const unreachable = (cause: unknown) =>
  new AppError('unavailable', outcomeUnknown, { cause, retryable: true, internal: 'the gateway cannot be reached' });

const notTheApi = (status: number) =>
  new AppError('internal', outcomeUnknown, { internal: `status ${status} with a body that is not the API's` });
