import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Request, RequestHandler, Response } from 'express';
import { createRequestDeadline } from '../../../domain/request-deadline.ts';
import { errorReply } from '../error-reply.ts';
import type { SendReply } from '../send-reply.ts';

/** The work ends at 10 s. A request that then only waits for a silent neighbour is answered with an error at 10.25 s. */
const errorMs = 10_250;
/** A connection whose charge is neither durable nor void closes without an answer this much later: at 10.45 s. */
const withholdMs = 200;

/** Starts the request's deadline. An answer leaves, or the connection closes, by 10.5 s. */
export function startDeadline(clock: Pick<Clock, 'monotonicMs' | 'after'>, send: SendReply): RequestHandler {
  const answerError = (request: Request, response: Response) => {
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
    // Without a body no time has passed since the exchange began.
    if (exchange.body !== undefined) exchange.deadline = createRequestDeadline(clock);
    let cancelTimer = clock.after(errorMs, () => {
      if (!exchange.billing.mayBeBilled) answerError(request, response);
      cancelTimer = clock.after(withholdMs, () => withhold(request, response));
    });
    response.once('close', () => {
      cancelTimer();
      // The caller has left: what is not billed yet shall not be.
      if (!response.writableFinished) exchange.deadline.cancel();
    });
    next();
  };
}
