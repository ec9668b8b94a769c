import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker.ts';

describe('the circuit breaker', () => {
  it('opens after a run of failures and lets one probe through per interval', () => {
    const clock = new ManualClock();
    const breaker = createBreaker({ failures: 3, probeMs: 1_000, clock });
    for (let i = 0; i < 2; i++) breaker.failed();
    expect(breaker.admits()).toBe(true);
    breaker.failed();
    expect(breaker.open).toBe(true);
    expect(breaker.admits()).toBe(false);
    clock.advance(1_000);
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
    breaker.failed();
    expect(breaker.admits()).toBe(false);
  });

  it('closes at the first success, and counts a new run from zero', () => {
    const breaker = createBreaker({ failures: 2, probeMs: 1_000, clock: new ManualClock() });
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    expect(breaker.open).toBe(false);
    breaker.failed();
    expect(breaker.open).toBe(true);
    breaker.succeeded();
    expect([breaker.open, breaker.admits()]).toEqual([false, true]);
  });
});
