import { dayMs } from '@shopscope/clock';
import { sentTime } from './sent-time.ts';

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

/** A time in a request. It means its UTC day. */
export const sentDay = (description: string) =>
  sentTime(`${description} A time means its UTC day. ISO 8601, UTC`).transform((text): Day => dayOf(Date.parse(text)));
