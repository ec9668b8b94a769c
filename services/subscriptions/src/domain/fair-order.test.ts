import { expect, it } from 'vitest';
import { fairOrder } from './fair-order.ts';

const job = (workspaceId: string, id: string, turnAtMs: number) => ({
  ref: { workspaceId, id },
  turnAt: new Date(turnAtMs),
});
const ordered = (...jobs: ReturnType<typeof job>[]) => fairOrder(jobs).map(({ ref }) => ref.id);

it('the workspace whose latest turn is the oldest comes first, however many of its jobs wait', () => {
  expect(ordered(job('a', 'a1', 1), job('a', 'a2', 9), job('b', 'b1', 5))).toEqual(['b1', 'a1', 'a2']);
});

it('the jobs of a workspace take turns, and every workspace comes once before any comes twice', () => {
  const jobs = [job('a', 'a2', 3), job('a', 'a1', 2), job('b', 'b1', 4), job('c', 'c1', 1)];
  expect(ordered(...jobs)).toEqual(['c1', 'a1', 'b1', 'a2']);
});

it('an empty list of jobs stays empty', () => {
  expect(ordered()).toEqual([]);
});
