import type { components } from './api.gen.ts';

/** The error codes of the API. `docs/openapi.json` and the guide about errors explain them. */
export type ErrorCode = components['schemas']['Error']['error']['code'];

/** Every error that this package throws, except the reason of an aborted `signal`. */
export class ShopscopeError extends Error {
  override name = 'ShopscopeError';
}

/** The service answered with an error. */
export class ApiError extends ShopscopeError {
  override name = 'ApiError';
  /** `unexpected_response`: the response is not one of the API, for example an error page of a proxy. */
  readonly code: ErrorCode | 'unexpected_response';
  readonly status: number;
  /** Quote it when you report a fault. Empty if the response has none. */
  readonly requestId: string;
  /** Milliseconds, from the header Retry-After. */
  readonly retryAfterMs: number | undefined;
  /** Set with `payment_required`: the end of the period (ISO 8601), and the unit of which too few are left. */
  readonly resetAt: string | undefined;
  readonly unit: components['schemas']['Error']['error']['unit'];

  constructor(
    message: string,
    fields: Pick<ApiError, 'code' | 'status' | 'requestId' | 'retryAfterMs' | 'resetAt' | 'unit'>,
  ) {
    super(message);
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
    this.resetAt = fields.resetAt;
    this.unit = fields.unit;
  }
}

/**
 * No complete response arrived: the connection was refused or cut, or the response was cut. The service may have carried out the
 * request. The cause is the error of `fetch`.
 */
export class ConnectionError extends ShopscopeError {
  override name = 'ConnectionError';
}

/** A time limit of this package passed: the limit of one attempt (`timeoutMs`), or the limit of a wait for a job. */
export class TimeoutError extends ShopscopeError {
  override name = 'TimeoutError';
}

/** Why a webhook is refused. This set is closed. */
export type WebhookVerificationReason =
  | 'missing_header'
  /** A timestamp that is not whole seconds, or an id or a timestamp that the request has several times. */
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'no_matching_signature'
  /** The fault is in the caller's settings, not in the request. */
  | 'malformed_secret'
  /** A signature matches, and the body is not an object of JSON. */
  | 'malformed_body';

/** A webhook is not from the service, was sent too long ago, or cannot be checked. */
export class WebhookVerificationError extends ShopscopeError {
  override name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(message: string, reason: WebhookVerificationReason) {
    super(message);
    this.reason = reason;
  }
}

/** Whether the error is an answer of the service with this code. */
export function hasCode(error: unknown, code: ApiError['code']): error is ApiError {
  return error instanceof ApiError && error.code === code;
}
