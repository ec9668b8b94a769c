import { AppError } from '@shopscope/errors';
import type { RequestHandler } from 'express';

/** An instance that is stopping sends callers elsewhere; what it has taken, it finishes. */
export function refuseWhileDraining(isDraining: () => boolean): RequestHandler {
  return (_request, _response, next) => {
    if (isDraining()) {
      throw new AppError('unavailable', 'This instance is stopping; retry at once.', { details: { retry_after: 1 } });
    }
    next();
  };
}
