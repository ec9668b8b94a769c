import { dayMs, hourMs } from '@shopscope/clock';
import { scanDateMs } from '@shopscope/test-tenant/observations';
import { describe, expect, it } from 'vitest';
import { reachedDaysOf } from './reached-days.ts';
import { windowOf } from './signal-pages.ts';

describe('days that a caller sees', () => {
  const plan = { historyDays: 30 };

  it('a test key of the free plan sees the first scan of a series at the end of the day, and for a year', () => {
    const startedAtMs = Date.UTC(2026, 5, 1);
    const firstMs = scanDateMs('changes.test', { sequence: 1, completedAtMs: startedAtMs }, startedAtMs);
    for (const nowMs of [startedAtMs + 23 * hourMs, startedAtMs + 365 * dayMs]) {
      const open = { fromMs: undefined, toMs: undefined };
      const { fromMs } = windowOf(open, reachedDaysOf({ keyEnvironment: 'test', plan }), {
        firstAskedMs: nowMs,
        nowMs,
      });
      expect(fromMs).toBeLessThan(firstMs);
    }
  });

  it('a live key sees the days of its plan', () => {
    expect(reachedDaysOf({ keyEnvironment: 'live', plan })).toBe(30);
  });
});
