import { AppError } from '@shopscope/errors';
import type { RequestHandler } from 'express';

/** Rejects new requests of a stopping instance with 503. Requests in progress continue. */
export function rejectWhileDraining(isDraining: () => boolean): RequestHandler {
  return (_request, _response, next) => {
    if (isDraining()) {
      throw new AppError('unavailable', 'This instance is stopping; retry at once.', { details: { retry_after: 1 } });
    }
    next();
  };
}
