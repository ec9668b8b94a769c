import { expect, it } from 'vitest';
import { joiningOf } from './scan.ts';

it('a job is satisfied only by an observation that completes after it joined', () => {
  expect(joiningOf({ state: 'queued', sequence: 4 })).toEqual({ state: 'queued', attempts: 0, minSequence: 5 });
  expect(joiningOf({ state: 'leased', sequence: 5 })).toEqual({ state: 'running', attempts: 1, minSequence: 5 });
  expect(joiningOf({ state: 'observed', sequence: 5 })).toEqual({ state: 'queued', attempts: 0, minSequence: 6 });
});
