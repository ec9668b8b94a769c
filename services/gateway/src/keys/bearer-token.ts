import type { IncomingMessage } from 'node:http';
import { countHeaderLines } from '../http/header-lines.ts';
import { unauthorized } from './unauthorized.ts';

/** The text after the scheme Bearer. The scheme is case-insensitive. Throws `unauthorized` when there is none. */
export function readBearerToken(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string {
  // In the contract several Authorization headers are a malformed key: 401, not 400.
  if (countHeaderLines(request, 'authorization') > 1) throw unauthorized('severalHeaders');
  const header = request.headers.authorization;
  if (header === undefined) throw unauthorized('noHeader');
  if (!/^bearer(?: |$)/i.test(header)) throw unauthorized('notBearer');
  return header.slice('Bearer'.length).trim();
}
