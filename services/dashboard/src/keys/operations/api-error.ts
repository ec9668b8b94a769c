import { ApiError } from '@shopscope/client';
import { AppError, isErrorCode } from '@shopscope/errors';

/** The error of the API's client as the API sent it; `unavailable` if the API did not answer. Its `field` is the one that the message names. */
export function toAppError(error: unknown): AppError {
  if (!(error instanceof ApiError) || !isErrorCode(error.code)) {
    return new AppError('unavailable', 'The API does not answer; retry after a second.', {
      cause: error,
      details: { retry_after: 1 },
    });
  }
  const { code, message, status, retryAfterMs } = error;
  const [, field] = /^([a-z_]+): /.exec(message) ?? [];
  return new AppError(code, message, {
    status,
    details: {
      ...(retryAfterMs !== undefined && { retry_after: Math.ceil(retryAfterMs / 1_000) }),
      ...(field !== undefined && { field }),
    },
  });
}
