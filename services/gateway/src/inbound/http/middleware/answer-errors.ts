import { AppError } from '@shopscope/errors';
import type { ErrorRequestHandler } from 'express';
import { OutcomeUnknownError } from '../../../domain/outcome-unknown-error.ts';
import { errorReply } from '../error-reply.ts';
import type { SendReply } from '../send-reply.ts';

/** Translates whatever was thrown, once. The request's log line tells the cause; the answer never does. */
export function answerErrors(send: SendReply): ErrorRequestHandler {
  return async (thrown: unknown, request, response, _next) => {
    const { exchange } = request;
    exchange.failure = thrown;
    if (thrown instanceof OutcomeUnknownError) {
      exchange.failureCode = 'withheld';
      response.destroy();
      return;
    }
    const error = AppError.from(thrown);
    exchange.failureCode = error.code;
    await send(request, response, errorReply(error, exchange.requestId));
  };
}
