import type { RequestHandler } from 'express';
import { type AuthenticateKey, unauthorized } from '../../../operations/authenticate-key.ts';
import { countHeaderLines } from '../header-lines.ts';

/** Everything below /v1 needs a key, routes that do not exist included; public operations do not. */
export function authenticate(keys: AuthenticateKey): RequestHandler {
  return async (request, _response, next) => {
    const { exchange } = request;
    if (exchange.operation ? exchange.operation.access === 'public' : !isBelowV1(exchange.path)) return next();
    const token = bearerToken(request.headers.authorization);
    // Which of two is meant nobody can say: to the contract that is a malformed key, a 401 and not a 400.
    if (token === undefined || countHeaderLines(request, 'authorization') > 1) throw unauthorized();
    exchange.caller = await keys.authenticate(token, exchange);
    next();
  };
}

const isBelowV1 = (path: string) => path === '/v1' || path.startsWith('/v1/');

function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header.startsWith('Bearer ')) return header.slice(7).trim();
  return /^bearer +(\S+) *$/i.exec(header)?.[1];
}
