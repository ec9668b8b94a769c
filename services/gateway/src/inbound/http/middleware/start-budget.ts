import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Request, RequestHandler, Response } from 'express';
import { createBudget } from '../../../domain/budget.ts';
import { errorReply } from '../error-reply.ts';
import type { SendReply } from '../send-reply.ts';

/** Work ends at 10 s; this is when somebody who waits on nothing but a neighbour's silence is told so. */
const giveUpMs = 10_250;
/** And this is when a charge that is neither durable nor void closes its connection: 10.45 s in all. */
const withholdMs = 200;

/** Starts the request's time and sees that an answer leaves, or the connection closes, by 10.5 s. */
export function startBudget(clock: Clock, send: SendReply): RequestHandler {
  const giveUp = (request: Request, response: Response) => {
    const { exchange } = request;
    exchange.budget.giveUp();
    exchange.failure ??= new Error('the request exceeded its time bound');
    exchange.failureCode = 'internal';
    const error = new AppError('internal', 'The request exceeded its time bound and was not billed.');
    void send(request, response, errorReply(error, exchange.requestId));
  };
  const withhold = (request: Request, response: Response) => {
    if (response.headersSent) return;
    request.exchange.budget.giveUp();
    request.exchange.failureCode = 'withheld';
    response.destroy();
  };

  return (request, response, next) => {
    const { exchange } = request;
    // Without a body no time has passed since the exchange began.
    if (exchange.body !== undefined) exchange.budget = createBudget(clock);
    let timer = setTimeout(() => {
      if (!exchange.budget.committing) giveUp(request, response);
      timer = setTimeout(withhold, withholdMs, request, response);
    }, giveUpMs);
    response.once('close', () => {
      clearTimeout(timer);
      // The caller has left: what is not billed yet shall not be.
      if (!response.writableFinished) exchange.budget.giveUp();
    });
    next();
  };
}
