import { expect, it } from 'vitest';
import { createGrowthDetector, type ResourceSnapshot } from './resource-usage.ts';

const at = (pid: number, residentMiB: number, descriptors = 20): ResourceSnapshot =>
  new Map([[pid, { name: 'keys-1', residentMiB, descriptors }]]);

function growthOf(...moments: ResourceSnapshot[]) {
  const detector = createGrowthDetector();
  for (const moment of moments) detector.note(moment);
  return { compared: detector.compared(), growth: detector.growth().length };
}

it('growth of a process is measured from its first snapshot to its last', () => {
  expect(growthOf(at(1, 100), at(1, 150), at(1, 130, 30))).toEqual({ compared: 1, growth: 0 });
  expect(growthOf(at(1, 100), at(1, 150), at(1, 230))).toEqual({ compared: 1, growth: 1 });
  expect(growthOf(at(1, 100), at(1, 100, 90))).toEqual({ compared: 1, growth: 1 });
});

it('a small replacement does not hide the growth of a killed process, and a process in one snapshot is not compared', () => {
  expect(growthOf(at(1, 100), at(1, 300), at(2, 100))).toEqual({ compared: 1, growth: 1 });
  expect(growthOf(at(1, 300), at(2, 100), at(3, 400))).toEqual({ compared: 0, growth: 0 });
});
