import type { RequestHandler } from 'express';
import type { AuthenticateKey } from '../../../operations/authenticate-key.ts';
import { readBearerToken } from '../bearer-token.ts';
import type { ConnectionLimits } from '../connection-limits.ts';

/** Every path below /v1 requires a key, except public operations. This includes paths that do not exist. */
export function authenticate(options: {
  authenticateKey: Pick<AuthenticateKey, 'authenticate'>;
  connections?: Pick<ConnectionLimits, 'accepted'> | undefined;
}): RequestHandler {
  return async (request, _response, next) => {
    const { exchange } = request;
    if (exchange.operation ? exchange.operation.access === 'public' : !isBelowV1(exchange.path)) return next();
    if (exchange.refusal !== undefined) throw exchange.refusal;
    exchange.caller = await options.authenticateKey.authenticate(readBearerToken(request), exchange);
    options.connections?.accepted(request.socket);
    next();
  };
}

const isBelowV1 = (path: string) => path === '/v1' || path.startsWith('/v1/');
