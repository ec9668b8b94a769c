import { dayMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { paceOf } from './pace.ts';

const period = { startMs: Date.UTC(2026, 10, 1), endMs: Date.UTC(2026, 11, 1) };
const at = (day: number, hour = 0) => Date.UTC(2026, 10, day, hour);
const sum = (units: readonly number[]) => units.reduce((total, each) => total + each, 0);
const pace = (unitsOfDays: number[], nowMs: number, included?: number) =>
  paceOf({ unitsOfDays, used: sum(unitsOfDays), included, period, nowMs });

describe('pace', () => {
  it('the pace continues the mean of the last seven full days to the end of the period', () => {
    // 20 days of 1,000, then 10 full days of 100; today has 40 so far.
    const units = [...Array(10).fill(1_000), ...Array(10).fill(100), 40];
    expect(pace(units, at(21, 12))).toEqual({
      perDay: 100,
      days: 7,
      projected: 11_040 + 950,
      exhaustedAtMs: undefined,
    });
  });

  it('the pace is unknown until there are three full days since the first day with units', () => {
    expect(pace([0, 0, 5, 5, 5], at(5, 23))).toBeUndefined();
    expect(pace([0, 0, 5, 5, 5], at(6))).toMatchObject({ perDay: 5, days: 3 });
    expect(pace([], at(20))).toBeUndefined();
  });

  it('the pace shows when the allowance ends within the period', () => {
    const units = Array(10).fill(100);
    expect(pace(units, at(11), 1_500)?.exhaustedAtMs).toBe(at(11) + 5 * dayMs);
    expect(pace(units, at(11), 3_000)?.exhaustedAtMs).toBeUndefined();
    expect(pace(units, at(11), 900)?.exhaustedAtMs).toBeUndefined();
  });

  it('the pace counts days without units, so that it falls when the traffic ends', () => {
    expect(pace([700, 0, 0, 0, 0, 0, 0], at(8))?.perDay).toBe(100);
    expect(pace([700, 0, 0, 0, 0, 0, 0, 0], at(9))).toMatchObject({ perDay: 0, projected: 700 });
  });

  it('the pace does not exist for a period that is over', () => {
    expect(pace(Array(30).fill(1), period.endMs)).toBeUndefined();
  });
});
