import { createRequestDeadline } from '@shopscope/charging';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { errorReply } from '../reply/error-reply.ts';
import type { SendReply } from '../reply/send-reply.ts';
import type { ReadRequest } from '../request.ts';

/** The work ends at 10 s. A request that still waits for a called service then responds with an error at 10.25 s. */
const errorMs = 10_250;
/** 0.2 s later, at 10.45 s, the connection closes if the charge is neither durable nor void. */
const withholdMs = 200;

/**
 * Starts the deadline of the request. By 10.5 s a response is sent or the connection closes. `screeningMs` is the time of the key look-up
 * before the body. It is part of the work, unlike the time in which the caller sends.
 */
export function startDeadline(
  { clock, send }: { clock: Pick<Clock, 'monotonicMs' | 'after'>; send: SendReply },
  request: ReadRequest,
  screeningMs: number,
): void {
  const { response, billing } = request;
  // A request without a body keeps the deadline that began when it was received.
  if (request.bytes !== undefined) request.deadline = createRequestDeadline(clock, screeningMs);
  const sendTimeout = () => {
    // The caller still reads the response.
    if (response.headersSent) return;
    request.deadline.cancel();
    request.failure ??= new Error('the request exceeded its time bound');
    request.failureCode = 'internal';
    const error = new AppError('internal', 'The request exceeded its time bound and was not billed.');
    void send(request, errorReply(error, request.requestId));
  };
  const withhold = () => {
    if (response.headersSent) return;
    request.deadline.cancel();
    request.failureCode = 'withheld';
    response.destroy();
  };
  let cancelTimer = clock.after(errorMs - screeningMs, () => {
    if (!billing.mayBeBilled) sendTimeout();
    cancelTimer = clock.after(withholdMs, withhold);
  });
  response.once('close', () => {
    cancelTimer();
    // The caller has disconnected: no commit begins any more. A commit that has begun continues.
    if (!response.writableFinished) request.deadline.cancel();
  });
}
