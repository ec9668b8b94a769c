import type { RequestHandler } from 'express';
import type { AuthenticateKey } from '../../keys/authenticate-key.ts';
import { readBearerToken } from '../../keys/bearer-token.ts';
import { needsKey } from '../needs-key.ts';

/** Authenticates the key of a request that needs one. */
export function authenticate(options: { authenticateKey: Pick<AuthenticateKey, 'authenticate'> }): RequestHandler {
  return async (request, _response, next) => {
    const { exchange } = request;
    if (!needsKey(exchange)) return next();
    if (exchange.refusal !== undefined) throw exchange.refusal;
    exchange.caller = await options.authenticateKey.authenticate(readBearerToken(request), exchange);
    next();
  };
}
