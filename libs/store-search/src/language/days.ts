import { dayMs, parseInstant } from '@shopscope/clock';
import { z } from 'zod';

/** Days are UTC days, written as the number YYYYMMDD: 20260801. */
export type Day = number;

export const dayOf = (atMs: number): Day => Number(new Date(atMs).toISOString().slice(0, 10).replaceAll('-', ''));

/** Returns the first millisecond of a day. */
export const startOf = (day: Day): number => {
  const text = dayText(day);
  return Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T00:00:00Z`);
};

/** Returns the last millisecond of a day. */
export const endOf = (day: Day): number => startOf(day) + dayMs - 1;

/** Returns eight digits, whose order is the order of the days. */
export const dayText = (day: Day): string => String(day).padStart(8, '0');

/** Returns the day as the contract writes times. */
export const timeOf = (day: Day): string => new Date(startOf(day)).toISOString();

/** Both ends are inclusive. An absent end does not bound. */
export interface DayRange {
  from?: Day;
  to?: Day;
}

/** The last day of all ranges without an end. */
export const lastDay: Day = 99_991_231;

/** An unencoded + in a query string is read as a blank. */
const withPlus = (text: string) => text.replace(/ 00:00$/, '+00:00');
const inUtc = /(?:Z|\+00:00)$/;
const isUtcTime = (text: string) => inUtc.test(text) && parseInstant(text) !== undefined;
const notUtc = 'must be an ISO 8601 time in UTC such as 2026-01-15T12:00:00.000Z or 2026-01-15T12:00:00+00:00';

/** A time in a request. It means its UTC day. */
export const sentDay = (description: string) =>
  z
    .string()
    .refine((text) => isUtcTime(withPlus(text)), notUtc)
    .meta({ format: 'date-time', description: `${description} A time means its UTC day. ISO 8601, UTC` })
    .transform((text): Day => dayOf(Date.parse(withPlus(text))));
