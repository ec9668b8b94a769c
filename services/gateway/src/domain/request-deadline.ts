import { createDeadline, type Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/** How long the work of one request may take. */
export const workMs = 10_000;
/** No 2xx answer is sent later than this after the request began. */
export const answerMs = 10_500;

const notBilled = (cause?: unknown) =>
  new AppError('internal', 'The request exceeded its time bound and was not billed.', { cause });

/** What is left of the request's time, also after a cancellation: for steps that settle a charge. */
export const workLeftMs = (deadline: Deadline): number => Math.max(0, workMs - deadline.elapsedMs);

/**
 * The time limit of one request's work. The edge creates it; operations and calls of neighbours get the same value. It
 * is cancelled when the request has been answered or its caller has left, so that nothing more is billed for it.
 */
export function createRequestDeadline(clock: Pick<Clock, 'monotonicMs' | 'after'>): Deadline {
  return createDeadline(workMs, { clock, error: notBilled });
}
