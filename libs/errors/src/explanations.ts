import type { ErrorCode } from './codes.ts';

/** The contract's explanation of an error response. The API's openapi.json and the pages of the request log show these texts. */
export interface ErrorExplanation {
  meaning: string;
  /** The next step of the caller. */
  action: string;
}

/** The explanations by error code. A body that is too large has the code invalid_request and the status 413. */
export const errorExplanations: Readonly<
  Record<ErrorCode | 'body_too_large' | 'public_rate_limited', ErrorExplanation>
> = {
  invalid_request: {
    meaning: 'Headers, parameters or body fail validation; the message names the field.',
    action: 'Fix the field that the message of the response names. The same request fails again.',
  },
  unauthorized: {
    meaning:
      'The key is missing, malformed, unknown, revoked or expired. The message says which of the first two it is. ' +
      'Unknown, revoked and expired keys get the same answer.',
    action: 'Check the key with GET /v1/account.',
  },
  payment_required: {
    meaning:
      "The request needs more units than the period's allowance has left. Nothing happened and nothing was billed.",
    action: 'Wait until the period ends (reset_at in the response), or choose a plan with a larger allowance.',
  },
  forbidden_scope: {
    meaning: 'The key does not have the scope of the operation, or write:scans where refresh is true.',
    action: 'Use a key that has the scope which the message of the response names.',
  },
  not_found: {
    meaning: 'No such route or resource. Never billed.',
    action: 'For a store, request a scan with POST /v1/stores/enrich and refresh true. For a path, see GET /v1.',
  },
  conflict: {
    meaning: 'The Idempotency-Key was used with a different body within 24 hours.',
    action: 'Use a new Idempotency-Key for the new body.',
  },
  body_too_large: {
    meaning: 'The body exceeds 262,144 bytes.',
    action: 'Send the domains in several smaller requests.',
  },
  rate_limited: {
    meaning:
      "The key's requests per minute are spent, or too many different keys that are not valid came from the caller's address.",
    action: 'Wait as many seconds as Retry-After says, then retry.',
  },
  public_rate_limited: {
    meaning: "The requests without a key that the caller's address has per minute are spent.",
    action:
      'Wait as many seconds as Retry-After says, then retry; keep the document for as long as Cache-Control allows.',
  },
  internal: {
    meaning: 'A fault of the service, its time bound included. Not billed.',
    action: 'Retry once after a few seconds. Quote the request id if it happens again.',
  },
  not_implemented: {
    meaning: 'The operation is in the contract and not yet served.',
    action: 'Use the operations that GET /v1 lists.',
  },
  concurrency_limited: {
    meaning:
      'The simultaneous requests of the key are in use, or those batches or searches that its workspace may run at the same time.',
    action: 'Retry after a second. Fewer requests at the same time avoid it.',
  },
  unavailable: {
    meaning: 'The instance is stopping, or a promise of the request cannot be kept right now.',
    action: 'Retry after a second.',
  },
};
