import type { Client } from 'undici';
import { type Fetched, minUsefulBytes } from '../../domain/page.ts';
import { readBody } from './body.ts';
import { failureOf } from './failures.ts';

export interface RequestOptions {
  userAgent: string;
  accept: string;
  /** From the first byte out to the last byte in, however slowly it drips. */
  requestMs: number;
  maxWireBytes: number;
  /** Decompressed bytes that are kept. */
  maxBytes: number;
  /** False leaves the body unread, and the connection is cut. */
  wantsBody(status: number, headers: Record<string, string>): boolean;
  onBytes(wireBytes: number): void;
}

/**
 * One GET, without following redirects. A body that breaks off counts when enough of it has come. Throws VisitFailure for
 * what the peer does, and the reason of `visitSignal` when that ended it.
 */
export async function getOnce(
  client: Client,
  url: URL,
  options: RequestOptions,
  visitSignal: AbortSignal,
): Promise<Fetched> {
  const signal = AbortSignal.any([visitSignal, AbortSignal.timeout(options.requestMs)]);
  try {
    const answer = await client.request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: {
        'user-agent': options.userAgent,
        accept: options.accept,
        'accept-encoding': 'gzip, br',
        'accept-language': 'en,*;q=0.5',
      },
      signal,
    });
    // Cutting a body short makes its stream fail, which is nobody's concern by then.
    answer.body.on('error', () => {});
    const headers = plainHeaders(answer.headers);
    const head = { url: url.href, status: answer.statusCode, headers, setCookies: cookiesIn(answer.headers) };
    if (!options.wantsBody(answer.statusCode, headers)) {
      answer.body.destroy();
      return { ...head, body: new Uint8Array(), ending: 'whole' };
    }
    const read = await readBody(answer.body, headers['content-encoding'] ?? '', options);
    options.onBytes(read.wireBytes);
    if (read.ending === 'broken' && (visitSignal.aborted || read.body.length < minUsefulBytes)) throw read.error;
    return { ...head, body: read.body, ending: read.ending };
  } catch (error) {
    throw failureOf(error, signal);
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
