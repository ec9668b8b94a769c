import { expect, it } from 'vitest';
import { jobStartOf } from './scan.ts';

it('a job needs an observation that completes after the job joined the scan', () => {
  expect(jobStartOf({ state: 'waiting', sequence: 4 })).toEqual({ state: 'queued', attempts: 0, minSequence: 5 });
  expect(jobStartOf({ state: 'leased', sequence: 5 })).toEqual({ state: 'running', attempts: 1, minSequence: 5 });
  expect(jobStartOf({ state: 'observed', sequence: 5 })).toEqual({ state: 'queued', attempts: 0, minSequence: 6 });
});
