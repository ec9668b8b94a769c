import { dayMs, hourMs, minuteMs } from '@shopscope/clock/durations';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { zoned } from './formats.ts';

interface TimeOfPage {
  nowMs: number;
  timeZone: string;
  advance(nowMs: number): void;
}

const TimeContext = createContext<TimeOfPage>({ nowMs: 0, timeZone: 'UTC', advance() {} });

/**
 * The data that times on pages depend on.
 *
 * - `nowMs`: the server's time when it rendered the page or last answered. Server and browser therefore render the same text, and relative
 *   times agree with the data. It never decreases.
 * - `timeZone`: the time zone of the reader. It is UTC until the browser has sent its zone.
 */
export function TimeProvider(props: { nowMs: number; timeZone: string; children: ReactNode }) {
  const { nowMs, timeZone, children } = props;
  const [readMs, setReadMs] = useState(nowMs);
  const advance = useCallback((ms: number) => setReadMs((before) => Math.max(before, ms)), []);
  return <TimeContext value={{ nowMs: Math.max(nowMs, readMs), timeZone, advance }}>{children}</TimeContext>;
}

export const useTimeZone = (): string => useContext(TimeContext).timeZone;

export const useNow = (): number => useContext(TimeContext).nowMs;

/** Returns a function that sets the page's time to the time of data that the page read later. */
export const useAdvanceNow = () => useContext(TimeContext).advance;

const units = [
  ['year', 365 * dayMs],
  ['month', 30 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** For example "3 hours ago", "tomorrow", "now". */
function relativeTime(ms: number, nowMs: number): string {
  const difference = ms - nowMs;
  const unit = units.find(([, size]) => Math.abs(difference) >= size);
  return unit ? relative.format(Math.trunc(difference / unit[1]), unit[0]) : 'now';
}

/** For example "14:03:20". */
export const clockTime = zoned({ timeStyle: 'medium' });

/** For example "22 Nov 2026, 14:03:20". */
const exactSecond = zoned({ dateStyle: 'medium', timeStyle: 'medium' });

const formats = {
  /** For example "22 Nov 2026". */
  date: zoned({ dateStyle: 'medium' }),
  /** For example "22 Nov 2026, 14:03". */
  exact: zoned({ dateStyle: 'medium', timeStyle: 'short' }),
  clock: clockTime,
  /** For example "22 Nov, 14:03:20". */
  second: zoned({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' }),
};

/** A point in time: relative or as a date. The exact second and UTC are shown on hover and on focus. */
export function Time({ ms, as }: { ms: number; as?: keyof typeof formats }) {
  const timeZone = useTimeZone();
  const nowMs = useNow();
  const exact = `${exactSecond(ms, timeZone)} (${timeZone})`;
  const full = timeZone === 'UTC' ? exact : `${exact}, ${exactSecond(ms, 'UTC')} UTC`;
  return (
    <time
      dateTime={new Date(ms).toISOString()}
      data-exact={full}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time has to be reachable by keyboard.
      tabIndex={0}
      className="exact-time"
    >
      {as === undefined ? relativeTime(ms, nowMs) : formats[as](ms, timeZone)}
    </time>
  );
}
