import { expect, it } from 'vitest';
import { backoffMs, interruptionWaitMs, latest } from './schedule.ts';

const policy = { visitIntervalMs: 10_000, retryBackoffMs: 2_000, interruptionGraceMs: 60_000 };

it('the back-off doubles with every failed attempt, up to ten minutes', () => {
  expect([1, 2, 3].map((failed) => backoffMs(policy, failed))).toEqual([2_000, 4_000, 8_000]);
  expect(backoffMs(policy, 60)).toBe(600_000);
  expect(backoffMs({ ...policy, retryBackoffMs: 0 }, 3)).toBe(0);
});

it('the latest of several instants ignores absent ones', () => {
  expect(latest(new Date(5), null, 9, undefined)).toEqual(new Date(9));
});

it('interruptions of this system cost no attempt until the scan is too old', () => {
  const aged = (ageMs: number) => ({ ageMs, interruptions: 3 });
  expect(interruptionWaitMs('scanner_stopping', aged(59_999), policy)).toBe(0);
  expect(interruptionWaitMs('publish_failed', aged(59_999), policy)).toBe(15_000);
  expect(interruptionWaitMs('publish_failed', aged(60_000), policy)).toBeUndefined();
  expect(interruptionWaitMs('scanner_fault', aged(0), policy)).toBeUndefined();
});

it('failures that may be ours never cost an attempt, and their pauses double up to ten minutes', () => {
  const after = (interruptions: number) =>
    interruptionWaitMs('dns_unavailable', { ageMs: 3_000_000, interruptions }, policy);
  expect([0, 1, 2, 5, 6, 50].map(after)).toEqual([15_000, 30_000, 60_000, 480_000, 600_000, 600_000]);
});
