import type { RequestHandler } from 'express';
import { unauthorized } from '../../../domain/unauthorized.ts';
import type { AuthenticateKey } from '../../../operations/authenticate-key.ts';
import { countHeaderLines } from '../header-lines.ts';

/** Every path below /v1 requires a key, except public operations. This includes paths that do not exist. */
export function authenticate(keys: AuthenticateKey): RequestHandler {
  return async (request, _response, next) => {
    const { exchange } = request;
    if (exchange.operation ? exchange.operation.access === 'public' : !isBelowV1(exchange.path)) return next();
    // In the contract several Authorization headers are a malformed key: 401, not 400.
    if (countHeaderLines(request, 'authorization') > 1) throw unauthorized('severalHeaders');
    exchange.caller = await keys.authenticate(bearerToken(request.headers.authorization), exchange);
    next();
  };
}

const isBelowV1 = (path: string) => path === '/v1' || path.startsWith('/v1/');

/** The text after the scheme Bearer. The scheme is case-insensitive. */
function bearerToken(header: string | undefined): string {
  if (header === undefined) throw unauthorized('noHeader');
  if (!/^bearer(?: |$)/i.test(header)) throw unauthorized('notBearer');
  return header.slice('Bearer'.length).trim();
}
