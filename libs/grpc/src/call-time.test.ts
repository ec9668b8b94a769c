import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { callTime } from './call-time.ts';

const { signal } = new AbortController();

describe('the time of a call', () => {
  it('runs out while its statements run, and is never told as 0, which MongoDB takes for no bound', () => {
    const clock = new ManualClock();
    const leftMs = callTime({ deadline: Number.POSITIVE_INFINITY, signal, clock });
    expect(leftMs()).toBe(10_000);
    clock.advance(4_000.5);
    expect(leftMs()).toBe(5_999);
    clock.advance(5_999);
    expect(leftMs()).toBe(1);
    for (const passMs of [0.5, 60_000]) {
      clock.advance(passMs);
      expect(leftMs).toThrow(expect.objectContaining({ code: 'internal' }));
    }
  });

  it.each([
    ['its deadline, where that is sooner than the budget of a request', new Date(Date.now() - 1)],
    ['a deadline told as a number', Date.now() - 60_000],
  ])('ends with %s', (_, deadline) => {
    const leftMs = callTime({ deadline, signal, clock: new ManualClock() });
    expect(leftMs).toThrow(expect.objectContaining({ code: 'internal' }));
  });

  it('is no more than the budget of a request, however late the deadline', () => {
    const leftMs = callTime({ deadline: Date.now() + 3_600_000, signal, clock: new ManualClock() });
    expect(leftMs()).toBe(10_000);
  });

  it('does not follow a wall clock that jumps', () => {
    const clock = new ManualClock();
    const leftMs = callTime({ deadline: Number.POSITIVE_INFINITY, signal, clock });
    clock.setWall(0);
    expect(leftMs()).toBe(10_000);
  });

  it('is over for a caller who gave up', () => {
    const caller = new AbortController();
    const deadline = Number.POSITIVE_INFINITY;
    const leftMs = callTime({ deadline, signal: caller.signal, clock: new ManualClock() });
    caller.abort(new Error('gone'));
    expect(leftMs).toThrow(expect.objectContaining({ code: 'internal' }));
  });
});
