/**
 * The source of an error, for metrics and alerts: the caller's request, a limit that the caller reached, or a fault of this service
 * or of a service that it calls.
 */
export type Fault = 'caller' | 'limit' | 'service';

/** The codes of the HTTP contract. */
export const codes = {
  invalid_request: { status: 400, fault: 'caller' },
  unauthorized: { status: 401, fault: 'caller' },
  payment_required: { status: 402, fault: 'limit' },
  forbidden_scope: { status: 403, fault: 'caller' },
  not_found: { status: 404, fault: 'caller' },
  conflict: { status: 409, fault: 'caller' },
  rate_limited: { status: 429, fault: 'limit' },
  internal: { status: 500, fault: 'service' },
  not_implemented: { status: 501, fault: 'caller' },
  concurrency_limited: { status: 503, fault: 'limit' },
  unavailable: { status: 503, fault: 'service' },
} as const satisfies Record<string, { status: number; fault: Fault }>;

export type ErrorCode = keyof typeof codes;
export const errorCodes = Object.keys(codes) as ErrorCode[];
