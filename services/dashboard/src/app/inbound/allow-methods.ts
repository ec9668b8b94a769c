import { AppError } from '@shopscope/errors';
import type { RequestHandler } from 'express';
import type { SendFailure } from './send-failure.ts';

/** Pages are only read, and every change is a form. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST'];

/** Refuses all other methods with 405 before the request is read. */
export const allowMethods =
  (sendFailure: SendFailure): RequestHandler =>
  (request, response, next) => {
    if (methods.includes(request.method)) return next();
    const text = 'Pages are read with GET, and forms are sent with POST. Nothing was changed.';
    sendFailure(
      new AppError('invalid_request', text, { status: 405 }),
      request,
      response.set('Allow', methods.join(', ')),
    );
  };

/** The method as the label of a metric, from a closed set. */
export const methodLabel = (method: string): string => (methods.includes(method) ? method : 'other');
