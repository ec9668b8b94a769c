import { ApiError } from '@shopscope/client';
import { AppError, type ErrorCode, isErrorCode } from '@shopscope/errors';

type Answer = ApiError & { code: ErrorCode };

/** Whether the API has answered with an error. Otherwise the outcome of the request is unknown. */
export const isAnswer = (error: unknown): error is Answer => error instanceof ApiError && isErrorCode(error.code);

/**
 * Returns the error that the API sent, or `unavailable` with the text `unanswered` if the API did not answer.
 *
 * @param fields The members of the request that are fields of the form. The error of such a member is shown at its field.
 */
export function toAppError(
  error: unknown,
  fields: readonly string[] = [],
  unanswered = 'The API does not answer; retry after a second.',
): AppError {
  if (!isAnswer(error)) {
    return new AppError('unavailable', unanswered, {
      cause: error,
      details: { retry_after: 1 },
    });
  }
  const { code, message, status, retryAfterMs } = error;
  // For example "stores[0].external_id: must have …" and "technologies[1]: must be …".
  const [, member = '', words = ''] = /^(?:[\w[\]]+\.)*(\w+)(?:\[\d+\])?: (.*)$/s.exec(message) ?? [];
  const isField = fields.includes(member);
  return new AppError(code, isField ? `${member}: ${words}` : message, {
    status,
    details: {
      ...(retryAfterMs !== undefined && { retry_after: Math.ceil(retryAfterMs / 1_000) }),
      ...(isField && { field: member }),
    },
  });
}
