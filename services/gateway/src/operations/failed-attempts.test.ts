import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { expect, it } from 'vitest';
import { createFailedAttempts } from './failed-attempts.ts';

function refusalOf(check: () => void) {
  try {
    check();
    return undefined;
  } catch (error) {
    const { code, details } = AppError.from(error);
    return { code, retryAfter: details.retry_after };
  }
}

it('an address that failed too often in a minute is told when the minute ends, and is free again then', () => {
  const clock = new ManualClock();
  const failed = createFailedAttempts({ clock, maxPerMinute: 3 });
  for (let i = 0; i < 3; i++) {
    expect(refusalOf(() => failed.check('203.0.113.9'))).toBeUndefined();
    failed.note('203.0.113.9');
    clock.advance(5_000);
  }
  expect(refusalOf(() => failed.check('203.0.113.9'))).toEqual({ code: 'rate_limited', retryAfter: 45 });
  expect(refusalOf(() => failed.check('203.0.113.10'))).toBeUndefined();
  clock.advance(44_999);
  expect(refusalOf(() => failed.check('203.0.113.9'))).toEqual({ code: 'rate_limited', retryAfter: 1 });
  clock.advance(1);
  expect(refusalOf(() => failed.check('203.0.113.9'))).toBeUndefined();
  expect(failed.size).toBe(0);
});

it('a bounded number of addresses is remembered, the one that failed least recently goes first', () => {
  const failed = createFailedAttempts({ clock: new ManualClock(), maxPerMinute: 1, maxAddresses: 2 });
  for (const address of ['a', 'b', 'a', 'c']) failed.note(address);
  expect(failed.size).toBe(2);
  expect(['a', 'b', 'c'].map((address) => refusalOf(() => failed.check(address)) !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
});
