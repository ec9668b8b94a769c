import type { Clock } from '@shopscope/clock';
import { errors } from 'undici';
import type { ConnectOptions } from './connect.ts';
import { OutboundError, type OutboundErrorCode } from './errors.ts';
import { failureOf } from './failures.ts';
import { createIdleConnections } from './idle-connections.ts';
import { type PostOptions, post } from './post.ts';
import { createRouter, type RouterOptions } from './route.ts';
import { parseTargetUrl, type UrlProblem } from './target-url.ts';

export interface SenderOptions
  extends Pick<RouterOptions, 'policy' | 'resolver' | 'testHosts' | 'onRefused'>,
    Pick<ConnectOptions, 'dial' | 'tlsContext'>,
    Pick<PostOptions, 'maxHeaderBytes' | 'maxResponseBytes'> {
  clock: Pick<Clock, 'after'>;
  maxIdleConnections: number;
}

export interface OutboundRequest {
  url: string;
  /** Headers with names in lower case. */
  headers: Record<string, string>;
  body: string | Uint8Array;
}

export interface OutboundResponse {
  status: number;
  /** Headers with names in lower case. Repeated fields are joined by ', '. */
  headers: Record<string, string>;
  /** The first bytes of the body, as they were received. */
  body: Uint8Array;
}

/**
 * Sends POST requests to URLs that callers of the API have chosen.
 *
 * - Each request resolves the name again. It reuses an idle connection only to an address that was checked for this request
 *   ([decision 80](../../../docs/decisions/0080-reuse-connections-to-addresses-checked-again.md)).
 * - A redirect is a response like others and is not followed. Content codings are not decoded, so a decompression bomb has no effect.
 * - The URL has a problem that `checkUrl` would find -> an error, and nothing is sent.
 * - The server does not respond completely -> an error. The request may have had its effect all the same.
 * - The server closes an idle connection during the request -> the request is sent again on a new connection, once.
 * - Invalid headers -> rejects.
 * - Bounds: the limits of the options. `timeoutMs` of a call limits DNS, connection, TLS, headers and body together. A body above `maxResponseBytes` is cut, and its connection is closed.
 * - Concurrency: any number of requests, each with a connection of its own meanwhile. The caller limits them.
 */
export interface Sender {
  send(
    request: OutboundRequest,
    timeoutMs: number,
  ): Promise<{ response: OutboundResponse; error?: never } | { response?: never; error: OutboundError }>;
  /**
   * Returns why no request can be sent to the URL now, or undefined. It resolves the name and opens no connection. `timeout`: the name was
   * not resolved in time.
   */
  checkUrl(text: string, timeoutMs: number): Promise<UrlProblem | OutboundErrorCode | undefined>;
  /** Closes the idle connections. */
  close(): Promise<void>;
}

export function createSender(options: SenderOptions): Sender {
  const idle = createIdleConnections(options.maxIdleConnections);
  const newRoute = () => createRouter({ ...options, literals: 'checked' });
  return {
    async send({ url: text, headers, body }, timeoutMs) {
      const { url, problem } = parseTargetUrl(text, options.testHosts);
      if (problem) return { error: new OutboundError('blocked_address', `a URL that is ${problem}`) };
      const sending = limited(options, timeoutMs, async (limit) =>
        post({ ...options, idle, route: await newRoute()(url, limit) }, { url, headers, body }, limit),
      );
      return sending.then(
        (response) => ({ response }),
        (error) => ({ error: outboundErrorOf(error) }),
      );
    },
    async checkUrl(text, timeoutMs) {
      const { url, problem } = parseTargetUrl(text, options.testHosts);
      if (problem) return problem;
      const checking = limited(options, timeoutMs, (limit) => newRoute()(url, limit));
      return checking.then(
        () => undefined,
        (error) => (isTimeLimit(error) ? 'timeout' : outboundErrorOf(error).code),
      );
    },
    close: () => idle.close(),
  };
}

/** Runs the work within the time limit. Throws what {@link failureOf} returns. */
async function limited<T>(
  { clock }: SenderOptions,
  timeoutMs: number,
  work: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const cancel = clock.after(timeoutMs, () =>
    ending.abort(new DOMException('the time limit of the request passed', 'TimeoutError')),
  );
  try {
    return await work(ending.signal);
  } catch (error) {
    throw failureOf(error, ending.signal);
  } finally {
    cancel();
  }
}

/** Throws every other error: defects such as invalid headers. */
function outboundErrorOf(error: unknown): OutboundError {
  if (!(error instanceof OutboundError)) throw error;
  if (error.cause instanceof errors.InvalidArgumentError) throw error.cause;
  return error;
}

/** Whether the limit passed while the name was being resolved. */
const isTimeLimit = (error: unknown): boolean =>
  error instanceof OutboundError && error.cause instanceof DOMException && error.cause.name === 'TimeoutError';
