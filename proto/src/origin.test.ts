import { expect, it } from 'vitest';
import { Origin } from '../gen/shopscope/common/v1/common.ts';
import { decodeOrigin, encodeOrigin } from './origin.ts';

const origin = { requestId: 'req_1', traceparent: 'trace' };

it.each(['live', 'test', null] as const)('the message of an origin keeps its environment (%s)', (environment) => {
  const bytes = Origin.encode(encodeOrigin({ ...origin, environment })).finish();
  expect(decodeOrigin(Origin.decode(bytes))).toEqual({ ...origin, environment });
});

it('the message of an origin with an unknown environment is refused, and the error names the field', () => {
  const refused = expect.objectContaining({ code: 'invalid_request', details: { field: 'origin.environment' } });
  expect(() => decodeOrigin({ ...origin, environment: 'staging' })).toThrow(refused);
});
