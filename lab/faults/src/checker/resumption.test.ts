import { expect, it } from 'vitest';
import type { ScanRecord } from './databases.ts';
import { checkResumption, lostLeases, resumable } from './resumption.ts';

const scansInProgress = [{ id: 'scan_1', domain: 'a.example', attempts: 1, sequence: 4 }];
const untouched: ScanRecord = {
  id: 'scan_1',
  domain: 'a.example',
  state: 'succeeded',
  attempts: 1,
  sequence: 4,
  merged: [4],
  isCanceled: false,
};
const resumed = { ...untouched, attempts: 2, sequence: 5, merged: [5] };
const found = (...scans: ScanRecord[]) => checkResumption(scansInProgress, scans).length;

it('an interrupted scan may succeed with its own lease or with one more lease', () => {
  expect(found(untouched)).toBe(0);
  expect(found(resumed)).toBe(0);
});

it('an interrupted scan that is missing, unfinished, failed, resumed twice, not merged or merged twice is reported', () => {
  expect(found()).toBe(1);
  expect(found({ ...resumed, state: 'queued' })).toBe(1);
  expect(found({ ...resumed, state: 'failed' })).toBe(1);
  expect(found({ ...resumed, attempts: 3 })).toBe(1);
  expect(found({ ...resumed, merged: [] })).toBe(1);
  expect(found({ ...resumed, merged: [5, 5] })).toBe(1);
});

it('a lost lease that is not fenced off is reported: its observation was merged, or the next lease has no later sequence', () => {
  expect(found({ ...resumed, merged: [4] })).toBe(1);
  expect(found({ ...resumed, sequence: 4, merged: [4] })).toBe(1);
});

it('the number of lost leases counts the scans that were leased again', () => {
  expect(lostLeases(scansInProgress, [untouched])).toBe(0);
  expect(lostLeases(scansInProgress, [resumed])).toBe(1);
});

it('a scan that ended because its callers canceled all of its jobs is not a broken promise and does not count as interrupted', () => {
  const canceled = { ...untouched, state: 'failed', merged: [], isCanceled: true };
  expect(found(canceled)).toBe(0);
  expect(resumable(scansInProgress, [canceled])).toBe(0);
  expect(resumable(scansInProgress, [untouched])).toBe(1);
});
