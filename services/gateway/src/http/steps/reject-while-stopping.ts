import { AppError } from '@shopscope/errors';

/** Rejects new requests of a stopping instance with 503. Requests in progress continue. */
export function rejectWhileStopping(isStopping: () => boolean): void {
  if (!isStopping()) return;
  throw new AppError('unavailable', 'This instance is stopping; retry at once.', { details: { retry_after: 1 } });
}
