import { expect, it } from 'vitest';
import { hasPassed, type Offsets } from './offsets.ts';

const offsets = (...list: bigint[]): Offsets => new Map(list.map((offset, partition) => [partition, offset]));

it('a mark is passed only when every partition has come as far', () => {
  const mark = offsets(4n, 0n, 7n);
  expect(hasPassed(offsets(4n, 0n, 7n), mark)).toBe(true);
  expect(hasPassed(offsets(9n, 3n, 8n), mark)).toBe(true);
  expect(hasPassed(offsets(9n, 3n, 6n), mark)).toBe(false);
});

it('a partition without a commit has passed nothing but an empty end', () => {
  expect(hasPassed(offsets(4n, -1n), offsets(4n, 0n))).toBe(true);
  expect(hasPassed(offsets(4n), offsets(4n, 0n))).toBe(true);
  expect(hasPassed(offsets(4n, -1n), offsets(4n, 1n))).toBe(false);
  expect(hasPassed(offsets(4n), offsets(4n, 1n))).toBe(false);
});
