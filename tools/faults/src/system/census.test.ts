import { expect, it } from 'vitest';
import { type Census, createLifetimes } from './census.ts';

const at = (pid: number, residentMiB: number, descriptors = 20): Census =>
  new Map([[pid, { name: 'keys-1', residentMiB, descriptors }]]);

function growthOf(...moments: Census[]) {
  const lifetimes = createLifetimes();
  for (const moment of moments) lifetimes.note(moment);
  return { compared: lifetimes.compared(), growth: lifetimes.growth().length };
}

it('a process is compared with itself, from its first quiet moment to its last', () => {
  expect(growthOf(at(1, 100), at(1, 150), at(1, 130, 30))).toEqual({ compared: 1, growth: 0 });
  expect(growthOf(at(1, 100), at(1, 150), at(1, 230))).toEqual({ compared: 1, growth: 1 });
  expect(growthOf(at(1, 100), at(1, 100, 90))).toEqual({ compared: 1, growth: 1 });
});

it('a small process in the place of a large one hides nothing, and one that was seen once shows nothing', () => {
  expect(growthOf(at(1, 100), at(1, 300), at(2, 100))).toEqual({ compared: 1, growth: 1 });
  expect(growthOf(at(1, 300), at(2, 100), at(3, 400))).toEqual({ compared: 0, growth: 0 });
});
