import type { RequestHandler } from 'express';
import { unauthorized } from '../../../domain/unauthorized.ts';
import type { AuthenticateKey } from '../../../operations/authenticate-key.ts';
import { countHeaderLines } from '../header-lines.ts';

/** Everything below /v1 needs a key, routes that do not exist included; public operations do not. */
export function authenticate(keys: AuthenticateKey): RequestHandler {
  return async (request, _response, next) => {
    const { exchange } = request;
    if (exchange.operation ? exchange.operation.access === 'public' : !isBelowV1(exchange.path)) return next();
    // Which of two is meant nobody can say: to the contract that is a malformed key, a 401 and not a 400.
    if (countHeaderLines(request, 'authorization') > 1) throw unauthorized('severalHeaders');
    exchange.caller = await keys.authenticate(bearerToken(request.headers.authorization), exchange);
    next();
  };
}

const isBelowV1 = (path: string) => path === '/v1' || path.startsWith('/v1/');

/** What follows the scheme Bearer, which may be in any case; whether that is a key, authenticate decides. */
function bearerToken(header: string | undefined): string {
  if (header === undefined) throw unauthorized('noHeader');
  if (!/^bearer(?: |$)/i.test(header)) throw unauthorized('notBearer');
  return header.slice('Bearer'.length).trim();
}
