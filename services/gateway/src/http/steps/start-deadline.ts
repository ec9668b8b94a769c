import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Request, RequestHandler, Response } from 'express';
import { errorReply } from '../reply/error-reply.ts';
import type { SendReply } from '../reply/send-reply.ts';
import { createRequestDeadline } from '../request-deadline.ts';

/** The work ends at 10 s. A request that still waits for a called service then responds with an error at 10.25 s. */
const errorMs = 10_250;
/** 0.2 s later, at 10.45 s, the connection closes when the charge is neither durable nor void. */
const withholdMs = 200;

/** Starts the deadline of the request. By 10.5 s a response is sent or the connection closes. */
export function startDeadline(clock: Pick<Clock, 'monotonicMs' | 'after'>, send: SendReply): RequestHandler {
  const sendTimeout = (request: Request, response: Response) => {
    const { exchange } = request;
    exchange.deadline.cancel();
    exchange.failure ??= new Error('the request exceeded its time bound');
    exchange.failureCode = 'internal';
    const error = new AppError('internal', 'The request exceeded its time bound and was not billed.');
    void send(request, response, errorReply(error, exchange.requestId));
  };
  const withhold = ({ exchange }: Request, response: Response) => {
    if (response.headersSent) return;
    exchange.deadline.cancel();
    exchange.failureCode = 'withheld';
    response.destroy();
  };

  return (request, response, next) => {
    const { exchange } = request;
    // A request without a body keeps the deadline that began with its exchange. The look-up of a key before the body is part of the
    // work, unlike the time in which the caller sends.
    const { screeningMs } = exchange;
    if (exchange.body !== undefined) exchange.deadline = createRequestDeadline(clock, screeningMs);
    let cancelTimer = clock.after(errorMs - screeningMs, () => {
      if (!exchange.billing.mayBeBilled) sendTimeout(request, response);
      cancelTimer = clock.after(withholdMs, () => withhold(request, response));
    });
    response.once('close', () => {
      cancelTimer();
      // The caller has disconnected: no commit begins any more. One that has begun goes on.
      if (!response.writableFinished) exchange.deadline.cancel();
    });
    next();
  };
}
