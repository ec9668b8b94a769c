import { expect, it } from 'vitest';
import { storedBytes } from './stored-bytes.ts';

it('the memory of a stored response is its texts, rounded up to the size classes of the allocator, and a constant', () => {
  expect(storedBytes([{ length: 0 }])).toBe(520 + 16);
  expect(storedBytes([{ length: 4_100 }])).toBe(520 + 5_120);
  expect(storedBytes([{ length: 100_000 }])).toBe(520 + 114_688);
  expect(storedBytes([{ length: 100 }, { length: 1_000 }])).toBe(520 + 112 + 1_024);
});
