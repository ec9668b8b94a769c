import { expect, it } from 'vitest';
import { createRandom } from './random.ts';

it('a seed determines its random numbers, and they are about evenly distributed over a large range', () => {
  const numbers = (seed: number, below: number, count: number) => {
    const random = createRandom(seed);
    return Array.from({ length: count }, () => random(below));
  };
  expect(numbers(7, 1_000_000, 100)).toEqual(numbers(7, 1_000_000, 100));
  expect(numbers(7, 1_000_000, 100)).not.toEqual(numbers(8, 1_000_000, 100));
  const tenths = Array.from({ length: 10 }, () => 0);
  for (const number of numbers(1, 1_000_000, 20_000)) {
    const tenth = Math.floor(number / 100_000);
    tenths[tenth] = (tenths[tenth] as number) + 1;
  }
  for (const hits of tenths) expect(Math.abs(hits - 2_000)).toBeLessThan(250);
});
