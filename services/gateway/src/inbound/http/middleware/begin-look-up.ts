import type { RequestHandler } from 'express';
import type { LookUpStore } from '../../../operations/look-up-store.ts';

/** Begins to read the store that a request looks up. The route waits for it. */
export function beginLookUp(begin: LookUpStore['begin']): RequestHandler {
  return ({ exchange }, _response, next) => {
    const { operation, input, origin, deadline } = exchange;
    if (operation?.id === 'getStore') exchange.lookUp = begin({ input: input.params.domain ?? '', origin, deadline });
    next();
  };
}
