import { AppError } from '@shopscope/errors';
import type { Logger } from '@shopscope/telemetry';
import type { ErrorRequestHandler } from 'express';
import { failureText } from '../domain/failure-title.ts';
import type { SendFailure } from './send-failure.ts';

/**
 * Answers requests that no page has answered.
 *
 * - express refuses the request itself, for example because its path cannot be decoded -> the 4xx of express.
 * - Every other error -> 500. The error is logged with its cause.
 * - The response has begun -> the connection closes.
 */
export const handleErrors =
  (logger: Logger, sendFailure: SendFailure): ErrorRequestHandler =>
  (thrown: unknown, request, response, _next) => {
    if (response.headersSent) {
      if (!response.destroyed) logger.error({ err: thrown }, 'a page failed while it was sent');
      response.destroy();
      return;
    }
    sendFailure(callersError(thrown) ?? AppError.from(thrown), request, response);
  };

/** The caller's error. Express gives its own refusals a status. */
function callersError(thrown: unknown): AppError | undefined {
  const status = thrown instanceof Error && 'status' in thrown ? thrown.status : undefined;
  if (thrown instanceof AppError || typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return new AppError('invalid_request', failureText(status), { status });
}
