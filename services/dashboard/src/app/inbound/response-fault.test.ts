import { expect, it } from 'vitest';
import { faultOf, recordFault } from './response-fault.ts';

const response = (statusCode: number, ...faults: ('caller' | 'limit' | 'service')[]) => {
  const made = { statusCode, locals: {} };
  for (const fault of faults) recordFault(made, fault);
  return made;
};

it.each([
  [200, [], 'none'],
  [200, ['service'], 'none'],
  [302, [], 'none'],
  [404, ['service'], 'caller'],
  [429, ['limit'], 'limit'],
  [503, ['limit'], 'limit'],
  [500, [], 'service'],
  [500, ['caller'], 'service'],
  [503, ['service'], 'service'],
  [503, ['limit', 'service'], 'service'],
  [503, ['service', 'limit'], 'service'],
] as const)('a response with status %i after %j counts as %s', (status, faults, fault) => {
  expect(faultOf(response(status, ...faults))).toBe(fault);
});
