import { expect, it } from 'vitest';
import { responseClassOf } from './response-class.ts';

it.each([
  [200, undefined, 'succeeded'],
  [202, undefined, 'succeeded'],
  [304, undefined, 'succeeded'],
  [400, 'invalid_request', 'client_error'],
  [404, 'not_found', 'client_error'],
  [499, undefined, 'client_error'],
  [402, 'payment_required', 'limited'],
  [429, 'rate_limited', 'limited'],
  [503, 'concurrency_limited', 'limited'],
  [503, 'unavailable', 'server_error'],
  [500, 'internal', 'server_error'],
  [501, 'not_implemented', 'server_error'],
  [0, 'withheld', 'server_error'],
] as const)('a response with status %i and code %s counts as %s', (status, code, expected) => {
  expect(responseClassOf(status, code)).toBe(expected);
});
