import type { RequestHandler } from 'express';
import { needsKey } from '../needs-key.ts';

/**
 * Limits requests that need no key, per client address: preflights and unknown paths outside /v1 included. Other requests have
 * the limits of their key. `acquire` throws `rate_limited`.
 */
export function limitPublic(acquire: ((address: string) => void) | undefined): RequestHandler {
  return ({ exchange, method }, _response, next) => {
    if (acquire && (method === 'OPTIONS' || !needsKey(exchange))) acquire(exchange.address());
    next();
  };
}
