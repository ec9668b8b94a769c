import { expect, it } from 'vitest';
import { backgroundQueue, backgroundSourceOf } from './background.ts';
import { dayOf, failurePauseMs, refreshBacklogMs, refreshIntervalMs } from './refresh.ts';

it('the age from which a profile is stale doubles with each failure, up to eight times', () => {
  const policy = { afterMs: 10, perDay: 1 };
  const ages = [0, 1, 2, 3, 4, 50].map((failures) => policy.afterMs + failurePauseMs(policy, failures));
  expect(ages).toEqual([10, 20, 40, 80, 80, 80]);
});

it('unspent refreshes are kept for a minute, and at least one of them', () => {
  expect(refreshBacklogMs({ perDay: 1_000_000 })).toBe(60_000);
  for (const perDay of [1, 7, 1_000, 1_441]) {
    expect(refreshBacklogMs({ perDay }) / refreshIntervalMs({ perDay })).toBeGreaterThan(1);
  }
});

it('the text of a later day of refreshes compares as greater', () => {
  const [before, after] = [dayOf(new Date('2026-12-31T23:59:59.999Z')), dayOf(new Date('2027-01-01T00:00:00Z'))];
  expect([before, after]).toEqual(['2026-12-31', '2027-01-01']);
  expect(after > before).toBe(true);
});

it('a scan has a background source only while it has the priority of background scans', () => {
  const place = { queue: backgroundQueue('list'), start: 1 };
  expect(backgroundSourceOf({ ...place, priority: 1 })).toBe('list');
  expect(backgroundSourceOf({ ...place, priority: 0 })).toBeUndefined();
  expect(backgroundSourceOf(null)).toBeUndefined();
});
