import { AppError, isServerFault } from '@shopscope/errors';
import { type Logger, type Origin, originFields } from '@shopscope/telemetry';
import { isNoAnswer } from '../domain/no-answer.ts';

/** A failure in the form that pages show. */
export type Problem = ReturnType<typeof toProblem>;

export function toProblem(thrown: unknown, { origin, logger }: { origin: Origin; logger: Logger }) {
  const error = AppError.from(thrown);
  const { status, code, fault, details } = error;
  const level = isServerFault(error) ? 'error' : 'info';
  logger[level]({ ...originFields(origin), code, err: isServerFault(error) ? error : undefined }, 'a page failed');
  /** The form field that the problem concerns. */
  const field = typeof details.field === 'string' ? details.field : undefined;
  const prefix = field === undefined ? '' : `${field}: `;
  const { publicMessage } = error;
  const message = publicMessage.startsWith(prefix) ? publicMessage.slice(prefix.length) : publicMessage;
  /** The seconds until the same attempt is allowed again. */
  const retryAfterSeconds = typeof details.retry_after === 'number' ? details.retry_after : undefined;
  /** Whether the person must first confirm the session at /confirm. */
  const needsConfirmation = details.confirm === 'true';
  /** Whether a call that must not be repeated has no response. */
  const isUnanswered = isNoAnswer(error);
  const requestId = origin.requestId;
  return { status, code, fault, message, field, needsConfirmation, retryAfterSeconds, isUnanswered, requestId };
}
