import { type Day, type DayRange, startOf } from '../language/days.ts';

/** A month is the number YYYYMM. */
export type Month = number;

export const monthOf = (day: Day): Month => Math.floor(day / 100);
export const firstDayOf = (month: Month): Day => month * 100 + 1;
/** The texts of days are compared, so a day that does not exist may end a month. */
export const lastDayOf = (month: Month): Day => month * 100 + 31;
/** Returns for example 2026-08. */
export const monthText = (month: Month): string => new Date(startOf(firstDayOf(month))).toISOString().slice(0, 7);

/** Returns the latest months of a range of days, the latest first. */
export function latestMonths({ from, to }: Required<DayRange>, size: number): Month[] {
  const months: Month[] = [];
  for (let month = monthOf(to); months.length < size && month >= monthOf(from); month = before(month))
    months.push(month);
  return months;
}

const before = (month: Month): Month => (month % 100 === 1 ? month - 89 : month - 1);

/** Returns the days that are in both ranges. The range may be empty. */
export const both = (a: DayRange, b: DayRange): Required<DayRange> => ({
  from: Math.max(a.from ?? 0, b.from ?? 0),
  to: Math.min(a.to ?? Number.POSITIVE_INFINITY, b.to ?? Number.POSITIVE_INFINITY),
});
