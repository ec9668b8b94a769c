import { AppError } from '@shopscope/errors';

/** A limit of this service refuses a request before any work is done for it. */
export class LimitError extends AppError {
  constructor(
    code: 'rate_limited' | 'concurrency_limited' | 'unavailable',
    message: string,
    retryAfterSeconds: number,
  ) {
    super(code, message, {
      // 429: the caller is at a limit of its own. 503: there are too many requests in all.
      status: code === 'unavailable' ? 503 : 429,
      details: { retry_after: Math.max(1, Math.ceil(retryAfterSeconds)) },
      fault: 'limit',
    });
  }
}

/** No caller is at fault. */
export const overloaded = (): LimitError =>
  new LimitError('unavailable', 'There are more requests than can be answered at the moment.', 2);
