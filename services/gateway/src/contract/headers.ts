import { z } from 'zod';
import { publicCorsHeaders } from './cors.ts';

export const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/;
export const idempotencyKeyLength = { min: 8, max: 128 } as const;

export const requestHeaders = {
  'X-Request-Id': {
    schema: z.string().regex(requestIdPattern),
    description: 'Repeated in the answer; made by the service when absent.',
  },
  'Idempotency-Key': {
    schema: z.string().min(idempotencyKeyLength.min).max(idempotencyKeyLength.max),
    description:
      'Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers.',
  },
  Range: { schema: z.string(), description: 'One range of bytes, such as `bytes=0-999`. Others are ignored.' },
  'If-None-Match': {
    schema: z.string(),
    description:
      'Entity tags of earlier answers, at most 32; a match answers 304, free. `*` matches public documents only.',
  },
} as const;

const seconds = z.int().min(0);

export const responseHeaders = {
  'X-Request-Id': { schema: z.string(), description: 'Id of the request.', required: true },
  'X-RateLimit-Limit': { schema: z.int().min(1), description: 'Requests per minute for this key.', required: true },
  'X-RateLimit-Remaining': {
    schema: z.int().min(0),
    description: 'Requests left in the current minute.',
    required: true,
  },
  'X-RateLimit-Reset': { schema: seconds, description: 'Seconds until the minute resets.', required: true },
  'RateLimit-Policy': { schema: z.string(), description: 'IETF draft form of the limit.', required: true },
  RateLimit: { schema: z.string(), description: 'IETF draft form of what is left.', required: true },
  'X-Usage-Remaining': {
    schema: z.int().min(0),
    description: 'lookup_cached units left in the period: included less used and reserved.',
    required: false,
  },
  'X-Shopscope-Environment': {
    schema: z.literal('test'),
    description: 'Sent with every answer to a key of the test tenant.',
    required: false,
  },
  'Retry-After': { schema: z.int().min(1), description: 'Seconds to wait before the next try.', required: true },
  'WWW-Authenticate': { schema: z.literal('Bearer'), description: 'The scheme that is asked for.', required: true },
  'Idempotent-Replayed': {
    schema: z.literal('true'),
    description: 'The answer is that of an earlier request; nothing was billed.',
    required: false,
  },
  ETag: {
    schema: z.string(),
    description:
      'Entity tag: strong of an observation, for this workspace, and of a document; weak of a page of stores, which shows them as they are now.',
    required: true,
  },
  'Content-Encoding': {
    schema: z.enum(['gzip', 'br']),
    description: 'Sent when Accept-Encoding allows it.',
    required: false,
  },
  'Accept-Ranges': { schema: z.literal('bytes'), description: 'A Range of bytes is accepted.', required: true },
  'Content-Range': { schema: z.string(), description: 'The bytes of this answer, and all of them.', required: true },
  'Cache-Control': { schema: z.string(), description: 'How long the answer may be kept.', required: true },
  'Access-Control-Allow-Origin': {
    schema: z.literal(publicCorsHeaders['Access-Control-Allow-Origin']),
    description: 'Any origin may read the public documents.',
    required: true,
  },
  'Access-Control-Expose-Headers': {
    schema: z.string(),
    description: 'Headers that a script of another origin may read.',
    required: true,
  },
  Vary: { schema: z.string(), description: 'What the answer depends on beside its URL.', required: true },
} as const;

export type HeaderName = keyof typeof responseHeaders;

/** These headers are sent with every response of a public operation. */
export const publicHeaders = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
] as const satisfies readonly HeaderName[];

/** These headers are sent with every response to a valid key. */
export const limitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'X-Usage-Remaining',
  'X-Shopscope-Environment',
] as const satisfies readonly HeaderName[];
