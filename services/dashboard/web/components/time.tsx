import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { loader } from '../root.tsx';

/** The zone of the reader. UTC until the browser has told it. */
export function useTimeZone(): string {
  return useRouteLoaderData<typeof loader>('root')?.preferences.timeZone ?? 'UTC';
}

const NowContext = createContext<{ nowMs: number; advance(nowMs: number): void }>({ nowMs: 0, advance() {} });

/**
 * The time for relative times: that of the server when it rendered or last answered, so that server and browser render
 * the same text. It never steps back.
 */
export function NowProvider({ nowMs, children }: { nowMs: number; children: ReactNode }) {
  const [readMs, setReadMs] = useState(nowMs);
  const advance = useCallback((ms: number) => setReadMs((before) => Math.max(before, ms)), []);
  return <NowContext value={{ nowMs: Math.max(nowMs, readMs), advance }}>{children}</NowContext>;
}

export const useNow = (): number => useContext(NowContext).nowMs;

/** Tells the page the time of data that it has read after it was loaded. */
export const useAdvanceNow = () => useContext(NowContext).advance;

const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** For example "3 hours ago", "tomorrow", "now". */
export function relativeTime(ms: number, nowMs: number): string {
  const difference = ms - nowMs;
  const unit = units.find(([, size]) => Math.abs(difference) >= size);
  return unit ? relative.format(Math.trunc(difference / unit[1]), unit[0]) : 'now';
}

/** For example "22 Nov 2026, 14:03". */
export function exactTime(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(ms);
}

/** For example "14:03:20". */
export function clockTime(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone }).format(ms);
}

/** For example "22 Nov 2026". */
export function dateOnly(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone }).format(ms);
}

/** A point in time: relative or as a date, with the exact time and UTC on hover and for screen readers. */
export function Time({ ms, as = 'relative' }: { ms: number; as?: 'relative' | 'date' | 'exact' }) {
  const timeZone = useTimeZone();
  const nowMs = useNow();
  const exact = `${exactTime(ms, timeZone)} (${timeZone})`;
  const title = timeZone === 'UTC' ? exact : `${exact}, ${exactTime(ms, 'UTC')} UTC`;
  const text = { relative: relativeTime(ms, nowMs), date: dateOnly(ms, timeZone), exact: exactTime(ms, timeZone) }[as];
  return (
    <time dateTime={new Date(ms).toISOString()} title={title} className="whitespace-nowrap">
      {text}
    </time>
  );
}
