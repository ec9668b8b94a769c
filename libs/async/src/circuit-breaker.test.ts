import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

function setUp(failures: number) {
  const clock = new ManualClock();
  return { clock, breaker: createCircuitBreaker({ failures, probeIntervalMs: 1_000, clock }) };
}

it('a circuit breaker opens after the given number of failures in a row and not before', () => {
  const { breaker } = setUp(3);
  breaker.failed();
  breaker.failed();
  breaker.succeeded();
  breaker.failed();
  breaker.failed();
  expect([breaker.open, breaker.admits()]).toEqual([false, true]);
  breaker.failed();
  expect([breaker.open, breaker.admits()]).toEqual([true, false]);
});

it('an open circuit breaker admits one probe per interval, and one success closes it', () => {
  const { breaker, clock } = setUp(1);
  breaker.failed();
  clock.advance(999);
  expect(breaker.admits()).toBe(false);
  clock.advance(1);
  expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
  clock.advance(1_000);
  expect(breaker.admits()).toBe(true);
  breaker.succeeded();
  expect([breaker.open, breaker.admits(), breaker.admits()]).toEqual([false, true, true]);
});

it('a failed probe begins the interval of a circuit breaker anew', () => {
  const { breaker, clock } = setUp(1);
  breaker.failed();
  clock.advance(1_000);
  expect(breaker.admits()).toBe(true);
  clock.advance(600);
  breaker.failed();
  clock.advance(999);
  expect(breaker.admits()).toBe(false);
  clock.advance(1);
  expect(breaker.admits()).toBe(true);
});
