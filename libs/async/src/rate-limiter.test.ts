import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

function setUp(maxKeys?: number) {
  const clock = new ManualClock();
  return { clock, limiter: createRateLimiter({ clock, maxKeys }) };
}

describe('rate by windows', () => {
  const rate = { max: 3, windowMs: 60_000 };

  it('a rate by windows admits its units from the first one on, and all of them again when the window ends', () => {
    const { clock, limiter } = setUp();
    const take = () => limiter.of('a', rate).take();
    clock.advance(5_000);
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 60_000]);
    clock.advance(59_999);
    expect(take()).toBe(1);
    clock.advance(1);
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 60_000]);
  });

  it('a rate by windows counts each key alone, and a refusal takes nothing', () => {
    const { limiter } = setUp();
    expect(limiter.of('a', rate).take(2)).toBe(0);
    expect(limiter.of('a', rate).take(2)).toBe(60_000);
    expect(limiter.of('a', rate).take(1)).toBe(0);
    expect(limiter.of('b', rate).take(3)).toBe(0);
  });

  it('a rate by windows takes back units that were given back, and never has more than its maximum', () => {
    const { limiter } = setUp();
    const bucket = limiter.of('a', rate);
    bucket.take(3);
    bucket.spend(-1);
    expect([bucket.take(), bucket.take()]).toEqual([0, 60_000]);
    bucket.spend(-10);
    expect([bucket.take(3), bucket.take()]).toEqual([0, 60_000]);
  });
});

describe('a steady rate', () => {
  const rate = { max: 2, perMs: 1 / 100 };

  it('a steady rate admits its maximum at once, and then a unit as each one comes back', () => {
    const { clock, limiter } = setUp();
    const take = () => limiter.of('a', rate).take();
    expect([take(), take(), take()]).toEqual([0, 0, 100]);
    clock.advance(60);
    expect(take()).toBeCloseTo(40);
    clock.advance(40);
    expect([take(), take()]).toEqual([0, 100]);
    clock.advance(10_000);
    expect([take(), take(), take()]).toEqual([0, 0, 100]);
  });

  it('a steady rate makes a key wait for units that it spent in advance, but never for more than its maximum', () => {
    const { clock, limiter } = setUp();
    const bucket = limiter.of('a', rate);
    expect(bucket.waitMs(5)).toBe(0);
    bucket.spend(5);
    expect([bucket.waitMs(0), bucket.waitMs(1), bucket.waitMs(5)]).toEqual([300, 400, 500]);
    clock.advance(300);
    expect(bucket.waitMs(0)).toBe(0);
  });

  it('a steady rate may change from use to use', () => {
    const { clock, limiter } = setUp();
    limiter.of('a', rate).take(2);
    clock.advance(10);
    expect(limiter.of('a', { max: 2, perMs: 1 / 10 }).waitMs()).toBe(0);
  });
});

it('the number of keys of a rate limiter is bounded, and the least recently used one has all units again', () => {
  const { limiter } = setUp(2);
  const take = (key: string) => limiter.of(key, { max: 1, windowMs: 1_000 }).take();
  expect(['a', 'b', 'a', 'c'].map(take)).toEqual([0, 0, 1_000, 0]);
  expect(limiter.size).toBe(2);
  expect(['a', 'b'].map(take)).toEqual([1_000, 0]);
});
