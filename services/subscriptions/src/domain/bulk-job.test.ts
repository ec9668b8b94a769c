import { isId } from '@shopscope/text';
import { expect, it } from 'vitest';
import { isJobId, maxStoresPerJob, newJobId, requireJobSize, stepChargeId } from './bulk-job.ts';

it('the id of a bulk job differs from the ids of scan jobs', () => {
  const id = newJobId(Date.UTC(2026, 0, 15));
  expect(isJobId(id)).toBe(true);
  expect(isId(id, 'job')).toBe(true);
  expect(isJobId('job_01kandxv3w9p4nsbq7g8e2hm5t')).toBe(false);
});

it('each step of each job in each environment has a charge of its own, which is the same in every execution', () => {
  const charge = () => [
    stepChargeId('live', 'job_u1', 0),
    stepChargeId('live', 'job_u1', 1),
    stepChargeId('live', 'job_u2', 0),
    stepChargeId('test', 'job_u1', 0),
  ];
  expect(new Set(charge()).size).toBe(4);
  expect(charge()).toEqual(charge());
});

it('a list that is too large for a job is refused', () => {
  requireJobSize({ storeCount: maxStoresPerJob });
  expect(() => requireJobSize({ storeCount: maxStoresPerJob + 1 })).toThrow(/250001 stores/);
});
