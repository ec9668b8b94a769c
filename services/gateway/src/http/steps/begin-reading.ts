import type { RequestHandler } from 'express';
import type { Begins } from '../../endpoints/route.ts';

/** Begins to read what the response will have. The route waits for it. */
export function beginReading(begins: Partial<Begins>): RequestHandler {
  return ({ exchange }, _response, next) => {
    const begun = begins[exchange.operation?.id as keyof Begins]?.(exchange);
    // A refused request has nobody who waits for it.
    begun?.catch(() => {});
    exchange.begun = begun;
    next();
  };
}
