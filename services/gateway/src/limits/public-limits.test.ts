import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { createPublicLimits } from './public-limits.ts';

function setUp(options: { maxAddresses?: number } = {}) {
  const clock = new ManualClock();
  const limits = createPublicLimits({ clock, maxPerMinute: 3, ...options });
  const ask = (address: string, times: number) => {
    for (let n = 0; n < times; n++) limits.acquire(address);
  };
  return { clock, limits, ask };
}

it('an address gets its requests of a minute, then 429 with the seconds that are left, then as many again', () => {
  const { clock, ask } = setUp();
  ask('a', 3);
  clock.advance(20_500);
  expect(() => ask('a', 1)).toThrow(
    expect.objectContaining({ code: 'rate_limited', status: 429, details: { retry_after: 40 } }),
  );
  clock.advance(39_500);
  ask('a', 3);
  expect(() => ask('a', 1)).toThrow();
});

it('an address takes no request from another one', () => {
  const { ask } = setUp();
  ask('a', 3);
  expect(() => ask('a', 1)).toThrow();
  ask('b', 3);
});

it('the number of stored addresses is bounded', () => {
  const { limits, ask } = setUp({ maxAddresses: 10 });
  for (let n = 0; n < 100; n++) ask(`address ${n}`, 1);
  expect(limits.size).toBe(10);
});
