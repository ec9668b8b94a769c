import { AppError } from '@shopscope/errors';
import {
  MongoError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';

const duplicateKey = 11_000;
/** The codes of MaxTimeMSExpired, ExceededTimeLimit and WriteConcernTimeout. */
const timeLimits: unknown[] = [50, 262, 64];

/** Whether a unique index refused the write, because a concurrent or earlier write has the same key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKey;
}

/** Resolves to the result of a write, or to undefined if a unique index refused it. Use it only outside of transactions. */
export async function unlessDuplicate<Result>(write: Promise<Result>): Promise<Result | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

/** Whether the error or one of its causes has this error label of the driver. */
export function hasLabel(error: unknown, label: string): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof MongoError && cause.hasErrorLabel(label)) return true;
  }
  return false;
}

/**
 * Translates an error of the driver to an AppError, with the error as its cause.
 * - A time limit was exceeded -> `internal`, retryable.
 * - The database is unreachable -> `unavailable` (retryable).
 * - A transient transaction error -> `internal`, retryable.
 * - Any other error -> `internal`.
 */
export function fromMongo(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isTimeLimit(error)) {
    return new AppError('internal', 'The request took too long; retry in a few seconds.', {
      cause: error,
      retryable: true,
    });
  }
  if (isUnreachable(error)) {
    return new AppError('unavailable', 'The service is not available; retry shortly.', { cause: error });
  }
  if (hasLabel(error, 'TransientTransactionError')) {
    return new AppError('internal', 'The service could not answer; retry in a few seconds.', {
      cause: error,
      retryable: true,
    });
  }
  return AppError.from(error);
}

function isTimeLimit(error: unknown): boolean {
  return (
    error instanceof MongoOperationTimeoutError ||
    // No connection of the pool became free in time. The driver does not export the class.
    (error instanceof MongoError && error.name === 'MongoWaitQueueTimeoutError') ||
    (error instanceof MongoServerError && timeLimits.includes(error.code))
  );
}

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    // A primary that steps down or shuts down sets this label.
    (error instanceof MongoServerError && error.hasErrorLabel('RetryableWriteError'))
  );
}
