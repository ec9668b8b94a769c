import { AppError } from '@shopscope/errors';
import type { RequestHandler } from 'express';
import type { Admit } from '../../../operations/admit.ts';
import type { ConnectionLimits } from '../connection-limits.ts';

/**
 * Enforces rate and concurrency of the key. The server releases the slot when the response has ended. A connection is accepted here,
 * within the rate: a key alone would let one caller open any number of connections.
 */
export function admit(options: {
  admit: Admit;
  connections?: Pick<ConnectionLimits, 'accepted'> | undefined;
}): RequestHandler {
  return async (request, response, next) => {
    const { exchange } = request;
    const { caller } = exchange;
    if (!caller) return next();
    const decision = await options.admit(caller);
    // The caller has disconnected, so the server has no event left on which it would release the slot.
    if (response.closed) return decision.release();
    exchange.admission = decision;
    if (decision.outcome === 'rate_limited') {
      throw new AppError('rate_limited', `The key has spent its ${caller.plan.rpm} requests of this minute.`, {
        details: { retry_after: decision.resetSeconds },
      });
    }
    options.connections?.accepted(request.socket);
    if (decision.outcome === 'concurrency_limited') {
      const message = `The key has ${caller.plan.concurrency} requests in flight; retry when one has ended.`;
      throw new AppError('concurrency_limited', message, { details: { retry_after: 1 } });
    }
    if (exchange.overload) throw exchange.overload;
    next();
  };
}
