import { ApiError, ConnectionError, type ErrorCode, ShopscopeError, TimeoutError } from './errors.ts';
import type { Platform } from './platform.ts';
import type { RatePacer } from './rate-pacer.ts';
import { pauseBeforeRetry } from './retry.ts';
import { version } from './version.ts';

export interface CallOptions {
  /** Ends the call. It then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Time limit of one attempt in milliseconds. Default: that of the client. */
  timeoutMs?: number | undefined;
  /** X-Request-Id: 8 to 64 characters of A-Z a-z 0-9 _ -. It finds the request in logs. All attempts of a call have it. */
  requestId?: string | undefined;
  /** Called with the values from the headers of the successful response, before the call resolves. */
  onResponse?: ((response: ResponseInfo) => void) | undefined;
}

export interface PostOptions extends CallOptions {
  /**
   * 8 to 128 characters. The service carries out one request per key in 24 hours and repeats its response, so a repeated call bills
   * nothing. Default: a random key for each call. Give a key of your own to repeat a call after your process has ended.
   */
  idempotencyKey?: string | undefined;
}

export interface ResponseInfo {
  status: number;
  requestId: string;
  /** The number of attempts, at least 1. */
  attempts: number;
  /** Whether the response is a repetition of the response to an earlier request with the same Idempotency-Key. */
  replayed: boolean;
  /** The lookup_cached units that are left in the period. */
  usageRemaining: number | undefined;
  headers: Headers;
}

export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the base address, with encoded segments. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Resolves to the parsed body; undefined for a response without one. */
export type Send = <T>(request: Request, options?: CallOptions) => Promise<T>;

export interface SendOptions {
  apiKey: string | (() => string | Promise<string>);
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  maxRetries: number;
  userAgent?: string | undefined;
  pacer: RatePacer;
  platform: Platform;
}

/**
 * Sends requests with the key, and repeats failed ones (retry.ts).
 *
 * - Each attempt has a time limit, which includes reading the body.
 * - Redirects are not followed: the key goes to the base address only.
 * - Throws ApiError, ConnectionError, TimeoutError, or the reason of an aborted signal.
 */
export function createSend(client: SendOptions): Send {
  const { pacer, platform } = client;

  return async <T>(request: Request, options: CallOptions = {}): Promise<T> => {
    for (let attempts = 1; ; attempts++) {
      try {
        return await sendOnce<T>(client, request, options, attempts);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (attempts > 1 && isDone(request, error)) return undefined as T;
        const pauseMs = pauseBeforeRetry(error, { ...client, attempts, random: platform.random });
        if (pauseMs === null) throw error;
        if (error instanceof ApiError && error.status === 429) pacer.refused(pauseMs);
        await platform.sleep(pauseMs, options.signal);
      }
    }
  };
}

/**
 * Whether a repeated DELETE gets `not_found`, because an earlier attempt without a response has deleted the resource.
 */
const isDone = ({ method }: Request, error: unknown) =>
  method === 'DELETE' && error instanceof ApiError && error.status === 404;

async function sendOnce<T>(
  client: SendOptions,
  { method, path, query, body, headers }: Request,
  options: CallOptions,
  attempts: number,
): Promise<T> {
  const { signal, requestId, timeoutMs = client.timeoutMs } = options;
  const apiKey = checkedApiKey(typeof client.apiKey === 'string' ? client.apiKey : await client.apiKey());
  // Headers are made first: an invalid key or id is an error of the caller, not of the connection.
  const sent = new Headers({
    Authorization: `Bearer ${apiKey}`,
    Accept: 'application/json',
    'User-Agent': [client.userAgent, `shopscope-client/${version}`].filter(Boolean).join(' '),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(requestId !== undefined && { 'X-Request-Id': requestId }),
    ...headers,
  });
  await client.pacer.begin(signal);
  // A separate controller is used, because AbortSignal.timeout and AbortSignal.any keep the request in memory until its
  // time limit has passed.
  const ending = new AbortController();
  const timer = setTimeout(
    () => ending.abort(new TimeoutError(`no complete response within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  let response: Response | undefined;
  let text: string;
  try {
    response = await client.fetch(urlOf(client.baseUrl, path, query), {
      method,
      headers: sent,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: ending.signal,
    });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    ending.signal.throwIfAborted();
    throw new ConnectionError(`no complete response from ${new URL(client.baseUrl).origin}: ${reasonOf(cause)}`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    client.pacer.ended(response?.headers);
  }
  const parsed = isText(response) ? text : parse(text);
  if (response.status === 304 || response.status === 204) {
    options.onResponse?.(infoOf(response, attempts));
    return undefined as T;
  }
  if (!response.ok || parsed === undefined) throw apiErrorOf(response, parsed);
  options.onResponse?.(infoOf(response, attempts));
  return parsed as T;
}

/**
 * Returns the reason of a failed `fetch`. In Node the reason is in the cause of the error, or in the code of the cause
 * if several addresses failed.
 */
function reasonOf(error: unknown): string {
  const { message, code } = ((error as Error).cause ?? error) as { message?: string; code?: string };
  return message || code || String(error);
}

function urlOf(baseUrl: string, path: string, query: Request['query'] = {}): string {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) {
    // The values of a list are separated by commas.
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** The GraphQL schema and the parts of exports are the only successful responses that are not JSON. */
const isText = ({ ok, headers }: Response) =>
  ok && /^(?:application\/(?:graphql|x-ndjson)|text\/csv)/.test(headers.get('Content-Type') ?? '');

/** Returns undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ErrorBody {
  error?: { code?: ErrorCode; message?: string; request_id?: string; reset_at?: string; unit?: ApiError['unit'] };
}

function apiErrorOf({ status, headers }: Response, body: unknown): ApiError {
  const { code, message, request_id: requestId, reset_at: resetAt, unit } = (body as ErrorBody | null)?.error ?? {};
  return new ApiError(message ?? `the response is not one of the API (status ${status})`, {
    code: code ?? 'unexpected_response',
    status,
    requestId: requestId ?? headers.get('X-Request-Id') ?? '',
    retryAfterMs: retryAfterMsOf(headers),
    resetAt,
    unit,
  });
}

/**
 * The API sends seconds. A proxy may send a date. It is compared with the response's Date, so the local clock has no
 * effect.
 */
function retryAfterMsOf(headers: Headers): number | undefined {
  const text = headers.get('Retry-After') ?? '';
  const ms = text.endsWith('GMT')
    ? Math.max(0, Date.parse(text) - Date.parse(headers.get('Date') ?? ''))
    : Number.parseInt(text, 10) * 1_000;
  return ms >= 0 ? ms : undefined;
}

function infoOf({ status, headers }: Response, attempts: number): ResponseInfo {
  const usage = headers.get('X-Usage-Remaining');
  return {
    status,
    requestId: headers.get('X-Request-Id') ?? '',
    attempts,
    replayed: headers.get('Idempotent-Replayed') === 'true',
    usageRemaining: usage === null ? undefined : Number(usage),
    headers,
  };
}

/**
 * Returns the address without slashes and /v1 at its end. openapi.json publishes the address with /v1. A query string
 * is refused, because paths are appended.
 */
export function checkedBaseUrl(baseUrl: string): string {
  const trimmed = baseUrl.trim();
  if (!URL.canParse(trimmed) || !/^https?:$/.test(new URL(trimmed).protocol)) {
    throw new ShopscopeError(`baseUrl must be an http(s) URL, not ${JSON.stringify(baseUrl)}`);
  }
  if (/[?#]/.test(trimmed)) {
    throw new ShopscopeError(`baseUrl must have no query string and no fragment, not ${JSON.stringify(baseUrl)}`);
  }
  return trimmed.replace(/(?:\/v1(?=\/|$)|\/)+$/, '');
}

/**
 * Throws ShopscopeError with the first invalid character, because copied keys often have quotes or a byte order mark.
 * The error never shows the key.
 */
export function checkedApiKey(apiKey: string): string {
  if (apiKey === '') throw new ShopscopeError('the API key is empty');
  const at = apiKey.search(/[^A-Za-z0-9_-]/);
  if (at < 0) return apiKey;
  const code = apiKey.codePointAt(at) as number;
  const name =
    namesOfCharacters[code] ??
    (code > 0x20 && code < 0x7f ? `the character ${String.fromCodePoint(code)}` : 'a character');
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  throw new ShopscopeError(
    `the API key has ${name} (${point}) at position ${at + 1}: keys have letters, digits, _ and - only`,
  );
}

/** Names of characters that files, shells and word processors add to a key. */
const namesOfCharacters: Partial<Record<number, string>> = {
  9: 'a tab',
  10: 'a line break',
  13: 'a line break',
  32: 'a blank',
  34: 'a quotation mark',
  39: 'an apostrophe',
  160: 'a no-break space',
  8203: 'a zero-width space',
  8216: 'a quotation mark',
  8217: 'a quotation mark',
  8220: 'a quotation mark',
  8221: 'a quotation mark',
  65279: 'a byte order mark',
};
