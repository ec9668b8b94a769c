import { expect, it } from 'vitest';
import { shownPeriod } from './usage-period.ts';

const now = Date.UTC(2026, 10, 22, 14);

it('the period without a name is the current month, which has no newer one', () => {
  expect(shownPeriod(null, now)).toEqual({
    startMs: Date.UTC(2026, 10, 1),
    endMs: Date.UTC(2026, 11, 1),
    name: '2026-11',
    isCurrent: true,
    older: '2026-10',
    newer: undefined,
  });
});

it('a named period has links to its neighbours across the end of a year', () => {
  expect(shownPeriod('2026-01', now)).toMatchObject({ isCurrent: false, older: '2025-12', newer: '2026-02' });
});

it('the oldest shown period is 12 months ago', () => {
  expect(shownPeriod('2025-11', now).older).toBeUndefined();
  expect(() => shownPeriod('2025-10', now)).toThrow('12 months');
});

it.each(['2026-12', '2026-13', '2026-1', '', 'x', '0000-01', '2026-10-01'])('the period "%s" is not found', (name) => {
  expect(() => shownPeriod(name, now)).toThrow('12 months');
});
