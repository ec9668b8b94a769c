import type { IncomingMessage } from 'node:http';
import { countHeaderLines } from '../http/header-lines.ts';
import { unauthorized } from './unauthorized.ts';

/** Returns the text after the scheme Bearer. The scheme is case-insensitive. Throws `unauthorized` if there is none. */
export function readBearerToken(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string {
  // The contract treats several Authorization headers as a malformed key: 401, not 400.
  if (countHeaderLines(request, 'authorization') > 1) throw unauthorized('severalHeaders');
  const header = request.headers.authorization;
  if (header === undefined) throw unauthorized('noHeader');
  if (!/^bearer(?: |$)/i.test(header)) throw unauthorized('notBearer');
  return header.slice('Bearer'.length).trim();
}
