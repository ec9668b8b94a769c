import { hourMs, ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { callDeadline } from './call-deadline.ts';

const expired = expect.objectContaining({ code: 'internal' });

describe('the deadline of a call', () => {
  it('the deadline of a call decreases while the call runs, and its time limit is never 0, which means no limit in MongoDB', () => {
    const clock = new ManualClock();
    const deadline = callDeadline({ wallDeadline: Number.POSITIVE_INFINITY, clock });
    expect(deadline.timeoutMs()).toBe(10_000);
    clock.advance(4_000.5);
    expect(deadline.timeoutMs()).toBe(5_999);
    clock.advance(5_999);
    expect(deadline.timeoutMs()).toBe(1);
    for (const passMs of [0.5, 60_000]) {
      clock.advance(passMs);
      expect(() => deadline.timeoutMs()).toThrow(expired);
    }
  });

  it.each([
    ['a date', new Date(Date.now() - 1)],
    ['a number', Date.now() - 60_000],
  ])(
    'the deadline of a call is expired from the start when the caller’s deadline has passed, given as %s',
    (_, wallDeadline) => {
      const deadline = callDeadline({ wallDeadline, clock: new ManualClock() });
      expect(deadline.expired).toBe(true);
      expect(() => deadline.timeoutMs()).toThrow(expired);
    },
  );

  it('the deadline of a call is the caller’s deadline when this is sooner than the time limit of a request', () => {
    const deadline = callDeadline({ wallDeadline: Date.now() + 5_000, clock: new ManualClock() });
    expect(deadline.timeoutMs()).toBeGreaterThan(4_000);
    expect(deadline.timeoutMs()).toBeLessThanOrEqual(5_000);
  });

  it('the deadline of a call is at most the time limit of a request, however late the caller’s deadline', () => {
    const deadline = callDeadline({ wallDeadline: Date.now() + hourMs, clock: new ManualClock() });
    expect(deadline.timeoutMs()).toBe(10_000);
  });

  it('the deadline of a call does not change when the wall clock jumps', () => {
    const clock = new ManualClock();
    const deadline = callDeadline({ wallDeadline: Number.POSITIVE_INFINITY, clock });
    clock.setWall(0);
    expect(deadline.timeoutMs()).toBe(10_000);
  });
});
