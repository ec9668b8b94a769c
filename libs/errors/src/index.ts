/**
 * The one error that services throw on purpose. It carries a code of a closed set, a text that may leave the service,
 * and a cause that may not. Each edge translates it once: HTTP by {@link httpStatus}, gRPC in @shopscope/grpc. Anything
 * else that is thrown is `internal` outside and whole in the log.
 */

/** Codes of the HTTP contract. */
export const errorCodes = [
  'invalid_request',
  'unauthorized',
  'payment_required',
  'forbidden_scope',
  'not_found',
  'conflict',
  'rate_limited',
  'internal',
  'not_implemented',
  'concurrency_limited',
  'unavailable',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

const statusByCode: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthorized: 401,
  payment_required: 402,
  forbidden_scope: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  internal: 500,
  not_implemented: 501,
  concurrency_limited: 503,
  unavailable: 503,
};

/** Members that travel with an error: a field's name, `reset_at`, `unit`, `retry_after` in seconds. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

export interface AppErrorOptions {
  /** What happened, for the log only. */
  cause?: unknown;
  /** More for the log only. */
  internal?: string;
  details?: ErrorDetails;
  /** The same may succeed later: said of the world, not of what was asked. Default: of `unavailable` alone. */
  mayPass?: boolean;
  /** HTTP status when it differs from the code's own (413 carries `invalid_request`). */
  status?: number;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  /** Safe to show to the caller. */
  readonly publicMessage: string;
  readonly internal: string | undefined;
  readonly details: ErrorDetails;
  readonly status: number;
  /** See {@link mayPass}. */
  readonly mayPass: boolean;

  constructor(code: ErrorCode, publicMessage: string, options: AppErrorOptions = {}) {
    super(options.internal ? `${publicMessage} (${options.internal})` : publicMessage, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.publicMessage = publicMessage;
    this.internal = options.internal;
    this.details = options.details ?? {};
    this.status = options.status ?? statusByCode[code];
    this.mayPass = options.mayPass ?? code === 'unavailable';
  }

  /** The error itself, or `internal` around whatever was thrown. Cancellations and time bounds are `internal` too. */
  static from(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown;
    return new AppError('internal', 'The service could not answer; retry in a few seconds.', { cause: thrown });
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return errorCodes.includes(value as ErrorCode);
}

/** HTTP status of a code. */
export function httpStatus(code: ErrorCode): number {
  return statusByCode[code];
}

/** True for faults on the service's side, which are logged at error; the others are the caller's, logged at info. */
export function isServerFault(error: AppError): boolean {
  return error.status >= 500 && error.code !== 'concurrency_limited' && error.code !== 'not_implemented';
}

/** True when an error says of itself that the same may succeed later, so that what was asked is not to blame. */
export function mayPass(error: unknown): boolean {
  return error instanceof Error && (error as { mayPass?: unknown }).mayPass === true;
}

/** 400 naming the field at fault. */
export function invalidField(field: string, problem: string): AppError {
  return new AppError('invalid_request', `${field}: ${problem}`, { details: { field } });
}
