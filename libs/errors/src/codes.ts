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
