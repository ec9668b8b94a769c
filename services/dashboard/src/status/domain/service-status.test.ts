import { dayMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { serviceParts, shownDays, stateOfDay, statusOfPart } from './service-status.ts';

const today = Date.UTC(2026, 10, 22);
const [part] = serviceParts;

describe('status of a part', () => {
  it('the status of a part has every one of the last 90 days, and a day without a measurement is not a failure', () => {
    const status = statusOfPart(part, [{ dayMs: today - dayMs, measured: 1_440, failed: 0 }], {
      nowMs: today + 5_000,
      isWorking: true,
    });
    expect(status.days).toHaveLength(shownDays);
    expect(status.days.at(-1)).toEqual({ dayMs: today, measured: 0, failed: 0, state: 'not_measured' });
    expect(status.days.at(-2)?.state).toBe('working');
    expect(status.workingShare).toBe(1);
  });

  it('the status of a part counts the measured minutes only, and none of days that are not shown', () => {
    const recorded = [
      { dayMs: today, measured: 100, failed: 25 },
      { dayMs: today - shownDays * dayMs, measured: 1_440, failed: 1_440 },
    ];
    expect(statusOfPart(part, recorded, { nowMs: today, isWorking: true }).workingShare).toBe(0.75);
    expect(statusOfPart(part, [], { nowMs: today, isWorking: undefined }).workingShare).toBeUndefined();
  });

  it.each([
    [0, 0, 'not_measured'],
    [1_440, 2, 'working'],
    [1_440, 3, 'disturbed'],
    [1_440, 60, 'failed'],
    [720, 0, 'working'],
    [719, 2, 'partly_measured'],
    [1, 1, 'partly_measured'],
    [719, 3, 'disturbed'],
    [60, 60, 'failed'],
  ] as const)('the status of a past day with %d measured and %d failed minutes is %s', (measured, failed, state) => {
    expect(stateOfDay({ dayMs: today, measured, failed }, today + 3 * dayMs)).toBe(state);
  });

  it('the status of today depends on the minutes until now', () => {
    const day = { dayMs: today, measured: 30, failed: 0 };
    expect(stateOfDay(day, today + 60 * 60_000)).toBe('working');
    expect(stateOfDay(day, today + 62 * 60_000)).toBe('partly_measured');
    expect(stateOfDay({ ...day, measured: 1 }, today)).toBe('working');
  });
});
