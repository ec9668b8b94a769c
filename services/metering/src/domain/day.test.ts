import { periodAt } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { dayName, dayStart, dayWithin } from './day.ts';

const february = periodAt(Date.UTC(2028, 1, 10));

describe('day of a charge', () => {
  it.each([
    ['2028-02-10T00:00:00.000Z', '2028-02-10'],
    ['2028-02-10T23:59:59.999Z', '2028-02-10'],
    ['2028-02-29T23:59:59.999Z', '2028-02-29'],
    ['2028-03-01T00:00:00.000Z', '2028-02-29'],
    ['2031-07-01T00:00:00.000Z', '2028-02-29'],
    ['2028-01-31T23:59:59.999Z', '2028-02-01'],
    ['1969-01-01T00:00:00.000Z', '2028-02-01'],
  ])('the day of a charge for an event at %s in February is %s', (instant, day) => {
    const startMs = dayWithin(february, Date.parse(instant));
    expect(dayName(startMs)).toBe(day);
    expect(dayStart(day)).toBe(startMs);
  });

  it('the day of a charge lies in its period for every number that an event may contain', () => {
    for (const instantMs of [Number.MIN_SAFE_INTEGER, -1, 0, Number.MAX_SAFE_INTEGER]) {
      const startMs = dayWithin(february, instantMs);
      expect(startMs >= february.startMs && startMs < february.endMs).toBe(true);
    }
  });
});
