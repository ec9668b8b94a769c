import { expect, it } from 'vitest';
import type { ScanRecord } from './databases.ts';
import { checkResumption, lostLeases } from './resumption.ts';

const interrupted = [{ id: 'scan_1', domain: 'a.example', attempts: 1, sequence: 4 }];
const untouched: ScanRecord = {
  ...{ id: 'scan_1', domain: 'a.example', state: 'succeeded', attempts: 1, sequence: 4, merged: [4] },
};
const resumed = { ...untouched, attempts: 2, sequence: 5, merged: [5] };
const found = (...scans: ScanRecord[]) => checkResumption(interrupted, scans).length;

it('an interrupted scan ends well, by the lease that it had or by one more', () => {
  expect(found(untouched)).toBe(0);
  expect(found(resumed)).toBe(0);
});

it('an interrupted scan that is gone, not ended, resumed twice or merged never or twice is found', () => {
  expect(found()).toBe(1);
  expect(found({ ...resumed, state: 'queued' })).toBe(1);
  expect(found({ ...resumed, state: 'failed' })).toBe(1);
  expect(found({ ...resumed, attempts: 3 })).toBe(1);
  expect(found({ ...resumed, merged: [] })).toBe(1);
  expect(found({ ...resumed, merged: [5, 5] })).toBe(1);
});

it('a lease that is not fenced is found: its observation merged, or no later sequence given', () => {
  expect(found({ ...resumed, merged: [4] })).toBe(1);
  expect(found({ ...resumed, sequence: 4, merged: [4] })).toBe(1);
});

it('counts the leases that were lost', () => {
  expect(lostLeases(interrupted, [untouched])).toBe(0);
  expect(lostLeases(interrupted, [resumed])).toBe(1);
});
