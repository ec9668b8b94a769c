import { AppError } from '@shopscope/errors';
import {
  MongoError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';

const duplicateKey = 11_000;
/** MaxTimeMSExpired, ExceededTimeLimit, WriteConcernTimeout. */
const timeLimits: unknown[] = [50, 262, 64];

/** True when a unique index refused the write: somebody else was first. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKey;
}

/** True for the driver's error label, also when the error was wrapped on its way here. */
export function hasLabel(error: unknown, label: string): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof MongoError && cause.hasErrorLabel(label)) return true;
  }
  return false;
}

/**
 * What the rest of the service sees of a driver error: `internal` when a time bound ended the work, `unavailable` when
 * the database could not be reached, `internal` for anything else. The driver's error is the cause. Time bounds and
 * transactions that others got in the way of may pass.
 */
export function fromMongo(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isTimeLimit(error)) {
    return new AppError('internal', 'The request took too long; retry in a few seconds.', {
      cause: error,
      mayPass: true,
    });
  }
  if (isAway(error)) {
    return new AppError('unavailable', 'The service is not available; retry shortly.', { cause: error });
  }
  if (hasLabel(error, 'TransientTransactionError')) {
    return new AppError('internal', 'The service could not answer; retry in a few seconds.', {
      cause: error,
      mayPass: true,
    });
  }
  return AppError.from(error);
}

function isTimeLimit(error: unknown): boolean {
  return (
    error instanceof MongoOperationTimeoutError ||
    // All connections were taken for as long as an operation may wait for one; the driver does not export the class.
    (error instanceof MongoError && error.name === 'MongoWaitQueueTimeoutError') ||
    (error instanceof MongoServerError && timeLimits.includes(error.code))
  );
}

function isAway(error: unknown): boolean {
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    // A primary that steps down or shuts down labels what it refuses.
    (error instanceof MongoServerError && error.hasErrorLabel('RetryableWriteError'))
  );
}
