import { createDeadline, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/** The time limit of the work for one request. */
export const workTimeoutMs = 10_000;
/** No 2xx is sent later than this time after the start of the request. */
export const responseTimeoutMs = 10_500;

const notBilled = (cause?: unknown) =>
  new AppError('internal', 'The request exceeded its time bound and was not billed.', { cause });

/** The time that is left, even after a cancellation: steps that settle a charge still run then. */
export const remainingWorkMs = (deadline: Deadline): number => Math.max(0, workTimeoutMs - deadline.elapsedMs);

/**
 * The deadline of the commit, which has the steps from the first durable effect on. It ends with the work of the request. A caller that
 * disconnects does not cancel it, so that the work that is done is billed.
 */
export function createCommitDeadline(request: Deadline, clock: Pick<Clock, 'monotonicMs' | 'after'>): Deadline {
  return createRequestDeadline(clock, request.elapsedMs);
}

/**
 * The deadline of one request. The HTTP server creates it and passes it to operations and outbound calls. It is cancelled
 * when the response was sent or the caller disconnected: no commit begins after that.
 */
export function createRequestDeadline(clock: Pick<Clock, 'monotonicMs' | 'after'>, spentMs = 0): Deadline {
  return createDeadline(workTimeoutMs, { clock, error: notBilled, spentMs });
}
