import { AppError, isServerFault } from '@shopscope/errors';
import type { Logger } from '@shopscope/telemetry';

/** A failure in the words of a page. */
export interface Problem {
  status: number;
  code: string;
  message: string;
  /** The field of the form that the problem concerns. */
  field: string | undefined;
  requestId: string;
}

export function toProblem(thrown: unknown, { requestId, logger }: { requestId: string; logger: Logger }): Problem {
  const error = AppError.from(thrown);
  const { status, code, details } = error;
  const level = isServerFault(error) ? 'error' : 'info';
  logger[level]({ requestId, code, err: isServerFault(error) ? error : undefined }, 'a page failed');
  const field = typeof details.field === 'string' ? details.field : undefined;
  const prefix = field === undefined ? '' : `${field}: `;
  const { publicMessage } = error;
  const message = publicMessage.startsWith(prefix) ? publicMessage.slice(prefix.length) : publicMessage;
  return { status, code, message, field, requestId };
}
