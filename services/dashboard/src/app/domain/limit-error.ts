import { AppError } from '@shopscope/errors';

/** The error when a limit of this service refuses a request before any work is done for it. */
export class LimitError extends AppError {
  constructor(
    code: 'rate_limited' | 'concurrency_limited' | 'unavailable',
    message: string,
    retryAfterSeconds: number,
  ) {
    super(code, message, {
      // 429: the caller is at its own limit. 503: there are too many requests in all.
      status: code === 'unavailable' ? 503 : 429,
      details: { retry_after: Math.max(1, Math.ceil(retryAfterSeconds)) },
      fault: 'limit',
    });
  }
}

/** The error that names no caller. */
export const overloaded = (): LimitError =>
  new LimitError('unavailable', 'There are more requests than can be answered at the moment.', 2);
