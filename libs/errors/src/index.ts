/**
 * `AppError` is the only error that services throw on purpose. It has a code of a closed set, a public text for the caller,
 * and a cause for the log only. Each edge translates it once: HTTP with {@link httpStatus}, gRPC in @shopscope/grpc. The
 * caller gets `internal` for every other error, and the log gets the whole error.
 */

import { codes, type ErrorCode, type Fault } from './codes.ts';

export { type ErrorCode, errorCodes, type Fault } from './codes.ts';
export { type ErrorExplanation, errorExplanations } from './explanations.ts';

/** Details for the caller: the name of a field, `reset_at`, `unit`, `retry_after` in seconds. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

export interface AppErrorOptions {
  /** The original error, for the log only. */
  cause?: unknown;
  /** More text for the log only. */
  internal?: string;
  details?: ErrorDetails;
  /** Whether the same call may succeed later, because the cause is not the input. Default: true for `unavailable` only. */
  retryable?: boolean;
  /** The HTTP status if it differs from the status of the code (413 has `invalid_request`). */
  status?: number;
  /** The fault if it differs from that of the code: a limit that callers can reach may be answered with `unavailable`. */
  fault?: Fault;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  /** Text for the caller. */
  readonly publicMessage: string;
  readonly internal: string | undefined;
  readonly details: ErrorDetails;
  readonly status: number;
  readonly fault: Fault;
  /** See {@link isRetryable}. */
  readonly retryable: boolean;

  constructor(code: ErrorCode, publicMessage: string, options: AppErrorOptions = {}) {
    super(options.internal ? `${publicMessage} (${options.internal})` : publicMessage, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.publicMessage = publicMessage;
    this.internal = options.internal;
    this.details = options.details ?? {};
    this.status = options.status ?? codes[code].status;
    this.fault = options.fault ?? codes[code].fault;
    this.retryable = options.retryable ?? code === 'unavailable';
  }

  /** Returns an AppError itself. Otherwise returns `internal` with the error as its cause, even for cancellations and time limits. */
  static from(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown;
    return new AppError('internal', 'The service could not answer; retry in a few seconds.', { cause: thrown });
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(codes, value);
}

export function httpStatus(code: ErrorCode): number {
  return codes[code].status;
}

/** Whether the service is at fault (logged at error). False for faults of the caller and for limits (logged at info). */
export function isServerFault(error: AppError): boolean {
  return error.fault === 'service';
}

/** Whether the same call may succeed later. Retryable errors never dead-letter an event. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && (error as { retryable?: unknown }).retryable === true;
}

/** Returns an `invalid_request` (400) that names the invalid field. */
export function invalidField(field: string, problem: string): AppError {
  return new AppError('invalid_request', `${field}: ${problem}`, { details: { field } });
}

/**
 * The topics, collections, indexes or validators are older than this version of a service needs. A service that throws it at its start
 * ends with exit code 78, because a restart would find the same.
 */
export class SchemaOlderError extends Error {
  /** `what` names what is missing or older. */
  constructor(what: string, remedy = 'run this version with --migrate first') {
    super(`${what}; ${remedy}.`);
    this.name = 'SchemaOlderError';
  }
}
