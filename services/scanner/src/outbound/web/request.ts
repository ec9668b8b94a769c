import { exchange, failureOf } from '@shopscope/outbound-http';
import type { Client } from 'undici';
import { type Fetched, minUsefulBytes } from '../../domain/page.ts';

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
 * - The site fails, or the time limit passes -> throws OutboundError.
 * - `visitAbort` aborts -> throws its reason.
 */
export async function getOnce(
  client: Client,
  url: URL,
  options: RequestOptions,
  visitAbort: AbortSignal,
): Promise<Fetched> {
  const abort = AbortSignal.any([visitAbort, AbortSignal.timeout(options.requestMs)]);
  const { maxWireBytes, maxBytes, wantsBody } = options;
  const headers: Record<string, string> = {
    'user-agent': options.userAgent,
    accept: options.accept,
    'accept-encoding': 'gzip, br',
    'accept-language': 'en,*;q=0.5',
  };
  if (options.cookies !== '') headers.cookie = options.cookies;
  const path = `${url.pathname}${url.search}`;
  const request = { method: 'GET', path, headers, decode: true, maxWireBytes, maxBytes, wantsBody } as const;
  const { wireBytes, error, ...response } = await exchange(client, request, abort);
  if (wireBytes > 0) options.onBytes(wireBytes);
  const { body, ending } = response;
  if (ending === 'broken' && (visitAbort.aborted || body.length < minUsefulBytes)) throw failureOf(error, abort);
  return { url: url.href, ...response };
}
