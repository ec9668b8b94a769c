import { ApiError, ConnectionError } from '@shopscope/client';
import { expect, it } from 'vitest';
import { toAppError } from './api-error.ts';

const apiError = (message: string, more: object = {}) =>
  new ApiError(message, {
    code: 'invalid_request',
    status: 400,
    requestId: '',
    retryAfterMs: undefined,
    resetAt: undefined,
    unit: undefined,
    ...more,
  });

it.each([
  ['name: Enter a name.', 'name', 'name: Enter a name.'],
  ['stores[0].external_id: It is too long.', 'external_id', 'external_id: It is too long.'],
  ['stores[0].external_id: It is too long.', 'external_id', 'external_id: It is too long.'],
  ['list_stores: the plan allows 3.', undefined, 'list_stores: the plan allows 3.'],
  ['Nothing is named: here.', undefined, 'Nothing is named: here.'],
])('the error %j of the API concerns the field %s of a form with its words', (message, field, words) => {
  const error = toAppError(apiError(message), ['name', 'external_id']);
  expect([error.code, error.status, error.publicMessage]).toEqual(['invalid_request', 400, words]);
  expect(error.details.field).toBe(field);
});

it('an error of the API has its Retry-After in seconds, and a lost connection is unavailable', () => {
  const limited = toAppError(apiError('Slow down.', { code: 'rate_limited', status: 429, retryAfterMs: 1_500 }));
  expect([limited.code, limited.details]).toEqual(['rate_limited', { retry_after: 2 }]);
  expect(toAppError(new ConnectionError('cut')).code).toBe('unavailable');
  expect(toAppError(new ConnectionError('cut'), [], 'Send it again.').publicMessage).toBe('Send it again.');
  expect(toAppError(apiError('<html>', { code: 'unexpected_response', status: 502 })).code).toBe('unavailable');
});
