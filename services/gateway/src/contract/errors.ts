import { type ErrorCode, errorCodes, errorExplanations, httpStatus } from '@shopscope/errors';
import { z } from 'zod';
import { billingUnits } from '../endpoints/account/contract.ts';
import { named, openEnum, timestamp } from './schemas.ts';

/** The body of every response that is not 2xx or 304. Callers branch on error.code; the message may change. */
export const errorEnvelope = named(
  'Error',
  z.object({
    error: z.object({
      code: openEnum(errorCodes),
      message: z.string(),
      request_id: z.string().describe('Prefix req_, or the X-Request-Id that was sent'),
      reset_at: timestamp().optional().describe('With payment_required: when the period ends'),
      unit: openEnum(billingUnits, { more: 'With payment_required: the unit of which too few are left.' }).optional(),
    }),
  }),
);

/** An error response of an operation. */
export interface ErrorAnswer {
  code: ErrorCode;
  status: number;
  description: string;
  message: string;
  /** Further messages with the same code, by the name of their example. */
  variants: Readonly<Record<string, string>>;
}

function answer(
  code: ErrorCode,
  message: string,
  options: Partial<Pick<ErrorAnswer, 'status' | 'variants'>> & { name?: keyof typeof errorExplanations } = {},
): ErrorAnswer {
  const { status = httpStatus(code), variants = {}, name = status === 413 ? 'body_too_large' : code } = options;
  return { code, status, description: errorExplanations[name].meaning, message, variants };
}

const absent = (noun: string) => answer('not_found', `The workspace has no such ${noun}.`);

export const errorAnswers = {
  invalid_request: answer('invalid_request', 'limit: must be a whole number from 1 to 200, not "500"'),
  unauthorized: answer('unauthorized', 'The API key is unknown, revoked or expired.', {
    variants: {
      unauthorized_no_header: 'No Authorization header came; send Authorization: Bearer <API_KEY>',
      unauthorized_not_bearer:
        'The Authorization header must have the scheme Bearer; send Authorization: Bearer <API_KEY>',
      unauthorized_malformed:
        'The bearer token is not an API key: it was mistyped, cut or extended, or its checksum is wrong. A key is its tag and 40 letters and digits.',
    },
  }),
  payment_required: answer(
    'payment_required',
    'This request needs 10 lookup_cached; 5 are left of 1,000 until 2026-02-01T00:00:00.000Z.',
  ),
  forbidden_scope: answer('forbidden_scope', 'This operation needs the scope read:stores.', {
    variants: {
      forbidden_scope_refresh: 'refresh: true needs the scope write:scans, which this key does not have.',
      forbidden_scope_list: 'list_id needs the scope read:watchlists, which this key does not have.',
    },
  }),
  not_found: answer(
    'not_found',
    'The domain is not in the corpus; POST /v1/stores/enrich with refresh true queues a scan of it (scope write:scans).',
  ),
  not_found_technology: answer('not_found', 'The vocabulary has no such technology.'),
  not_found_job: absent('job'),
  not_found_list: absent('list'),
  not_found_watchlist: absent('watchlist'),
  not_found_webhook: absent('webhook'),
  not_found_delivery: absent('delivery'),
  not_found_test: answer('not_found', 'Only keys of the test environment (svc_test_…) have this operation.'),
  conflict: answer('conflict', 'This Idempotency-Key was used with a different body; use a new key for a new body.'),
  body_too_large: answer('invalid_request', 'body: must have at most 262,144 bytes, not 300,000', { status: 413 }),
  rate_limited: answer('rate_limited', 'The key has spent its 600 requests of this minute.'),
  public_rate_limited: answer('rate_limited', 'The address has spent its 300 requests without a key of this minute.', {
    name: 'public_rate_limited',
  }),
  internal: answer('internal', 'The service could not answer; retry in a few seconds.'),
  not_implemented: answer('not_implemented', 'This operation is not served yet; GET /v1 lists those that are.'),
  concurrency_limited: answer('concurrency_limited', 'The key has 20 requests in flight; retry when one has ended.'),
  unavailable: answer('unavailable', 'This instance is stopping; retry at once.'),
} as const satisfies Record<string, ErrorAnswer>;

export type ErrorName = keyof typeof errorAnswers;

export const exampleRequestId = 'req_01kandxv3w9p4nsbq7g8e2hm5t';

/** Returns the body of an error response, as an example. */
export function errorExample(
  name: ErrorName,
  message: string = errorAnswers[name].message,
): z.output<typeof errorEnvelope> {
  const { code } = errorAnswers[name];
  const more =
    name === 'payment_required' ? { reset_at: '2026-02-01T00:00:00.000Z', unit: 'lookup_cached' as const } : {};
  return { error: { code, message, request_id: exampleRequestId, ...more } };
}

/** Returns all examples of an error response by name, for openapi.json. */
export function errorExamples(name: ErrorName): Record<string, { value: z.output<typeof errorEnvelope> }> {
  const messages = { [name]: errorAnswers[name].message, ...errorAnswers[name].variants };
  return Object.fromEntries(
    Object.entries(messages).map(([example, message]) => [example, { value: errorExample(name, message) }]),
  );
}
