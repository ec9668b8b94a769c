import type { Client } from 'undici';
import { type Fetched, minUsefulBytes } from '../../domain/page.ts';
import { readBody } from './body.ts';
import { failureOf } from './failures.ts';

export interface RequestOptions {
  userAgent: string;
  /** The value of the `Cookie` header. It is '' for none. */
  cookies: string;
  accept: string;
  /** The time limit from the first sent byte to the last received byte. */
  requestMs: number;
  maxWireBytes: number;
  /** The limit of bytes after decompression. */
  maxBytes: number;
  /** Returns false if the body must not be read. The connection is then closed. */
  wantsBody(status: number, headers: Record<string, string>): boolean;
  onBytes(wireBytes: number): void;
}

/**
 * Sends one GET request without following redirects.
 *
 * - The body is interrupted after `minUsefulBytes` -> the response with `ending: 'broken'`.
 * - The site fails, or the time limit passes -> throws VisitFailure.
 * - `visitAbort` aborts -> throws its reason.
 */
export async function getOnce(
  client: Client,
  url: URL,
  options: RequestOptions,
  visitAbort: AbortSignal,
): Promise<Fetched> {
  const abort = AbortSignal.any([visitAbort, AbortSignal.timeout(options.requestMs)]);
  try {
    const response = await client.request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: {
        'user-agent': options.userAgent,
        accept: options.accept,
        'accept-encoding': 'gzip, br',
        'accept-language': 'en,*;q=0.5',
        ...(options.cookies !== '' && { cookie: options.cookies }),
      },
      signal: abort,
    });
    // Destroying an unread body emits an error, which has no effect here.
    response.body.on('error', () => {});
    const headers = plainHeaders(response.headers);
    const head = { url: url.href, status: response.statusCode, headers, setCookies: cookiesIn(response.headers) };
    if (!options.wantsBody(response.statusCode, headers)) {
      response.body.destroy();
      return { ...head, body: new Uint8Array(), ending: 'whole' };
    }
    const read = await readBody(response.body, headers['content-encoding'] ?? '', options);
    options.onBytes(read.wireBytes);
    if (read.ending === 'broken' && (visitAbort.aborted || read.body.length < minUsefulBytes)) throw read.error;
    return { ...head, body: read.body, ending: read.ending };
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
