import { type ErrorCode, errorCodes, httpStatus } from '@shopscope/errors';
import { z } from 'zod';
import { billingUnits } from './account.ts';
import { named, timestamp } from './schemas.ts';

/** The envelope of every answer that is not 2xx or 304. Callers branch on error.code; the wording may change. */
export const errorEnvelope = named(
  'Error',
  z.object({
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      request_id: z.string().describe('Prefix req_, or the X-Request-Id that was sent'),
      reset_at: timestamp().optional().describe('With payment_required: when the period ends'),
      unit: z.enum(billingUnits).optional().describe('With payment_required: the unit of which too few are left'),
    }),
  }),
);

/** An answer that an operation may give beside success. */
export interface ErrorAnswer {
  code: ErrorCode;
  status: number;
  /** Name of the answer among the examples. */
  name: string;
  description: string;
  message: string;
}

function answer(code: ErrorCode, description: string, message: string, status = httpStatus(code)): ErrorAnswer {
  return { code, status, name: status === 413 ? 'body_too_large' : code, description, message };
}

export const errorAnswers = {
  invalid_request: answer(
    'invalid_request',
    'Headers, parameters or body fail validation; the message names the field.',
    'limit: must be a whole number from 1 to 200, not "500"',
  ),
  unauthorized: answer(
    'unauthorized',
    'The key is missing, malformed, revoked or expired.',
    'A valid API key is required as a bearer token.',
  ),
  payment_required: answer(
    'payment_required',
    "The request needs more units than the period's allowance has left. Nothing happened and nothing was billed.",
    'This request needs 10 lookup_cached; 5 are left of 1,000 until 2026-02-01T00:00:00.000Z.',
  ),
  forbidden_scope: answer(
    'forbidden_scope',
    'The key lacks the scope of the operation.',
    'This operation needs the scope write:scans.',
  ),
  not_found: answer('not_found', 'No such route or resource. Never billed.', 'The domain is not in the corpus.'),
  conflict: answer(
    'conflict',
    'The Idempotency-Key was used with a different body within 24 hours.',
    'This Idempotency-Key was used with a different body.',
  ),
  body_too_large: answer(
    'invalid_request',
    'The body exceeds 262,144 bytes.',
    'body: must have at most 262,144 bytes, not 300,000',
    413,
  ),
  rate_limited: answer(
    'rate_limited',
    "The key's requests per minute are spent, or too many different keys that are not valid came from the caller's address.",
    'The key has spent its 600 requests of this minute.',
  ),
  internal: answer(
    'internal',
    'A fault of the service, its time bound included. Not billed.',
    'The service could not answer; retry in a few seconds.',
  ),
  not_implemented: answer(
    'not_implemented',
    'The operation is in the contract and not yet served.',
    'This operation is not served yet; GET /v1 lists those that are.',
  ),
  concurrency_limited: answer(
    'concurrency_limited',
    "The key's simultaneous requests are in use.",
    'The key has 20 requests in flight; retry when one has ended.',
  ),
  unavailable: answer(
    'unavailable',
    'The instance is stopping, or a promise of the request cannot be kept right now.',
    'The service is not ready; retry shortly.',
  ),
} as const satisfies Record<string, ErrorAnswer>;

export type ErrorName = keyof typeof errorAnswers;

export const exampleRequestId = 'req_01kandxv3w9p4nsbq7g8e2hm5t';

/** What such an answer looks like. */
export function errorExample(name: ErrorName): z.output<typeof errorEnvelope> {
  const { code, message } = errorAnswers[name];
  const more =
    name === 'payment_required' ? { reset_at: '2026-02-01T00:00:00.000Z', unit: 'lookup_cached' as const } : {};
  return { error: { code, message, request_id: exampleRequestId, ...more } };
}
