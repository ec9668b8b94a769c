import { expect, it } from 'vitest';
import { hasPassed } from './positions.ts';

const offsets = (...pairs: [number, bigint][]) => new Map(pairs);

it('a topic is passed when every partition is, empty ones aside', () => {
  expect(hasPassed(offsets([0, 5n], [1, -1n]), offsets([0, 5n], [1, 0n]))).toBe(true);
  expect(hasPassed(offsets([0, 5n], [1, 2n]), offsets([0, 5n], [1, 3n]))).toBe(false);
  expect(hasPassed(offsets([0, 5n]), offsets([0, 5n], [1, 3n]))).toBe(false);
  expect(hasPassed(offsets(), offsets())).toBe(false);
});
