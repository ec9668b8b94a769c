import type { Client } from 'undici';
import { type BodyBounds, type ReadBody, readBody } from './body.ts';
import { failureOf } from './failures.ts';

export interface ExchangeOptions extends BodyBounds {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** Whether the content codings of the body are decoded. */
  decode: boolean;
  /** Returns false if the body must not be read. The connection is then closed. */
  wantsBody(status: number, headers: Record<string, string>): boolean;
}

export interface Exchanged extends ReadBody {
  status: number;
  /** Headers with names in lower case. Repeated fields are joined by ', ', except set-cookie. */
  headers: Record<string, string>;
  setCookies: readonly string[];
}

/**
 * Sends one request and reads its response.
 *
 * - The body is interrupted -> the response with `ending: 'broken'` and its error.
 * - No response -> throws what {@link failureOf} returns.
 */
export async function exchange(client: Client, options: ExchangeOptions, abort: AbortSignal): Promise<Exchanged> {
  try {
    const { method, path, body = null } = options;
    const response = await client.request({ method, path, headers: options.headers, body, signal: abort });
    // Destroying an unread body emits an error, which has no effect here.
    response.body.on('error', () => {});
    const headers = plainHeaders(response.headers);
    const head = { status: response.statusCode, headers, setCookies: cookiesIn(response.headers) };
    if (!options.wantsBody(response.statusCode, headers)) {
      response.body.destroy();
      return { ...head, body: new Uint8Array(), ending: 'whole', wireBytes: 0 };
    }
    const codings = options.decode ? (headers['content-encoding'] ?? '') : '';
    return { ...head, ...(await readBody(response.body, codings, options)) };
  } catch (error) {
    throw failureOf(error, abort);
  }
}

type RawHeaders = Record<string, string | string[] | undefined>;

function plainHeaders(headers: RawHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'set-cookie')
      .map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value ?? '')]),
  );
}

function cookiesIn(headers: RawHeaders): string[] {
  const value = headers['set-cookie'];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
