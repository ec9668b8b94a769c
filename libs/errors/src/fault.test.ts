import { expect, it } from 'vitest';
import { AppError, errorCodes, isServerFault } from './index.ts';

const faultOf = (code: (typeof errorCodes)[number]) => new AppError(code, '').fault;

it('only internal and unavailable are faults of the service', () => {
  expect(errorCodes.filter((code) => isServerFault(new AppError(code, '')))).toEqual(['internal', 'unavailable']);
});

it('an error that ends when the caller waits or pays is a limit', () => {
  expect(errorCodes.filter((code) => faultOf(code) === 'limit')).toEqual([
    'payment_required',
    'rate_limited',
    'concurrency_limited',
  ]);
});

it('an unavailable answer at a limit is a limit, and an error of another program is a fault of the service', () => {
  expect(new AppError('unavailable', '', { fault: 'limit' }).fault).toBe('limit');
  expect(AppError.from(new TypeError('a defect')).fault).toBe('service');
});
