import { AppError } from '@shopscope/errors';
import type { Caller } from '../../keys/caller.ts';
import type { Admission } from '../../limits/admission.ts';
import type { ConnectionLimits } from '../../limits/connection-limits.ts';
import type { AdmittedRequest, AuthenticatedRequest } from '../request.ts';

export interface AdmitOptions {
  admission: Pick<Admission, 'decide' | 'isFarFromLimits'>;
  connections?: Pick<ConnectionLimits, 'accepted'> | undefined;
}

/**
 * Enforces the rate and the concurrency of the key. Resolves to the result of `prepare`, or to undefined when the caller has
 * disconnected. The server releases the slot when the response has ended. This step also accepts the connection, within the rate: a key
 * alone would let one caller open any number of connections.
 *
 * - The key is far from its limits -> `prepare` runs while the decision is awaited. It has no effect that outlasts the request.
 * - Otherwise `prepare` runs after the decision, so that a request above the limits costs nothing more.
 * - The request is refused -> the error of the limits is thrown, whatever `prepare` has found.
 */
export async function admit<Prepared>(
  { admission, connections }: AdmitOptions,
  request: AuthenticatedRequest,
  prepare: (request: AuthenticatedRequest) => Prepared,
): Promise<Prepared | undefined> {
  const { caller, message, response, overload } = request;
  const deciding = admission.decide(caller);
  const prepared = admission.isFarFromLimits(caller) ? attempt(() => prepare(request)) : undefined;
  const decision = await deciding;
  // The caller has disconnected. No later event would make the server release the slot.
  if (response.closed) {
    decision.release();
    return undefined;
  }
  const admitted: AdmittedRequest = Object.assign(request, { admission: decision });
  if (decision.outcome === 'rate_limited') throw rateLimited(caller, decision.resetSeconds);
  connections?.accepted(message.socket);
  if (decision.outcome === 'concurrency_limited') {
    const text = `The key has ${caller.plan.concurrency} requests in flight; retry when one has ended.`;
    throw new AppError('concurrency_limited', text, { details: { retry_after: 1 } });
  }
  if (overload) throw overload;
  return prepared ? prepared() : prepare(admitted);
}

/** Calls `run` at once. The returned function returns its result or throws its error. */
function attempt<Result>(run: () => Result): () => Result {
  try {
    const result = run();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

export const rateLimited = ({ plan }: Caller, resetSeconds: number): AppError =>
  new AppError('rate_limited', `The key has spent its ${plan.rpm} requests of this minute.`, {
    details: { retry_after: resetSeconds },
  });
