import { AppError } from '@shopscope/errors';
import type { ErrorRequestHandler } from 'express';
import { OutcomeUnknownError } from '../../charging/outcome-unknown-error.ts';
import { errorReply } from '../reply/error-reply.ts';
import type { SendReply } from '../reply/send-reply.ts';

/** Turns an error into a response. Only the log line of the request has the cause. */
export function handleErrors(send: SendReply): ErrorRequestHandler {
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
