import { AppError } from '@shopscope/errors';
import type { RequestHandler } from 'express';
import type { Caller } from '../../keys/caller.ts';
import type { Admission } from '../../limits/admission.ts';
import type { ConnectionLimits } from '../../limits/connection-limits.ts';

export interface AdmitOptions {
  admission: Pick<Admission, 'decide' | 'isFarFromLimits'>;
  connections?: Pick<ConnectionLimits, 'accepted'> | undefined;
}

/**
 * Enforces rate and concurrency of the key. The server releases the slot when the response has ended. A connection is accepted here,
 * within the rate: a key alone would let one caller open any number of connections.
 *
 * - The key is far from its limits -> `prepare` runs while the decision is awaited. It has no effect that outlasts the request.
 * - Otherwise `prepare` runs after the decision, so a request above the limits costs nothing more.
 * - The request is refused -> the error of the limits, whatever `prepare` has found.
 */
export function admit({ admission, connections }: AdmitOptions, prepare: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const { exchange } = request;
    const { caller } = exchange;
    if (!caller) return prepare(request, response, next);
    const deciding = admission.decide(caller);
    let prepared: { error: unknown } | undefined;
    if (admission.isFarFromLimits(caller)) {
      prepare(request, response, (error) => {
        prepared = { error };
      });
    }
    const decision = await deciding;
    // The caller has disconnected, so the server has no event left on which it would release the slot.
    if (response.closed) return decision.release();
    exchange.admission = decision;
    if (decision.outcome === 'rate_limited') {
      throw rateLimited(caller, decision.resetSeconds);
    }
    connections?.accepted(request.socket);
    if (decision.outcome === 'concurrency_limited') {
      const message = `The key has ${caller.plan.concurrency} requests in flight; retry when one has ended.`;
      throw new AppError('concurrency_limited', message, { details: { retry_after: 1 } });
    }
    if (exchange.overload) throw exchange.overload;
    if (prepared) next(prepared.error);
    else prepare(request, response, next);
  };
}

export const rateLimited = ({ plan }: Caller, resetSeconds: number): AppError =>
  new AppError('rate_limited', `The key has spent its ${plan.rpm} requests of this minute.`, {
    details: { retry_after: resetSeconds },
  });
