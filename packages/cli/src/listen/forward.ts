import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';

export interface Forwarded {
  /** Whether a complete response with a status of 200 to 299 arrived. */
  succeeded: boolean;
  /** Null without a response. */
  status: number | null;
  /** Null after a complete response. */
  error: string | null;
  latencyMs: number;
}

export interface Forward {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
  /** Ends the request. */
  abort: AbortSignal;
  nowMs(): number;
}

/** The bytes of a response that are read, as for a webhook. */
const maxResponseBytes = 64 * 1024;

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'unknown host',
};

/**
 * Sends one POST, as a webhook does: directly, without a proxy, without following redirects, once. Never rejects.
 *
 * - No complete response within the time limit, or no connection -> `error`, with the status if there was one.
 * - The response has more bytes than the bound -> the rest is not read. This is no error.
 */
export async function forward({ nowMs, timeoutMs, abort, ...request }: Forward): Promise<Forwarded> {
  const startMs = nowMs();
  const timeout = AbortSignal.timeout(timeoutMs);
  const answer: { status: number | null; error: string | null } = { status: null, error: null };
  try {
    const response = await send({ ...request, signal: AbortSignal.any([abort, timeout]) });
    answer.status = response.statusCode ?? null;
    await readBounded(response);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    answer.error = timeout.aborted ? `no complete response in ${timeoutMs / 1_000} s` : words[code] || code || message;
  }
  const succeeded = answer.error === null && answer.status !== null && answer.status >= 200 && answer.status <= 299;
  return { succeeded, ...answer, latencyMs: Math.round(nowMs() - startMs) };
}

async function send({
  url,
  headers,
  body,
  signal,
}: Pick<Forward, 'url' | 'headers' | 'body'> & { signal: AbortSignal }): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  // An agent of its own, because the global one may be that of a proxy.
  const sending = request(url, { method: 'POST', headers, signal, agent: false });
  const answered = once(sending, 'response');
  // After the response, its own iteration has the error.
  sending.on('error', () => undefined);
  sending.end(body);
  const [response] = await answered;
  return response;
}

async function readBounded(response: http.IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxResponseBytes) return;
  }
}
