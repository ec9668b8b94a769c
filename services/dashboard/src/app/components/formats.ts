/** Formats of periods, days and instants in UTC, because usage is counted in UTC. */
const format = (options: Intl.DateTimeFormatOptions) => {
  const inZone = zoned(options);
  return (ms: number) => inZone(ms, 'UTC');
};

/** For example "November 2026". */
export const monthName = format({ month: 'long', year: 'numeric' });
/** For example "14 Nov". */
export const dayAndMonth = format({ day: 'numeric', month: 'short' });
/** For example "Sat, 14 Nov 2026". */
export const dayName = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** For example "1 Dec, 00:00 UTC". */
export const resetTime = (endMs: number) => `${dayAndMonth(endMs)}, 00:00 UTC`;

/** For example "1 to 22 Nov 2026". */
export function daysName(startMs: number, endMs: number): string {
  const first = new Date(startMs).getUTCDate();
  const end = `${dayAndMonth(endMs)} ${new Date(endMs).getUTCFullYear()}`;
  return first === new Date(endMs).getUTCDate() ? end : `${first} to ${end}`;
}

const grouped = new Intl.NumberFormat('en');

/** For example "25,000". */
export const formatNumber = (value: number): string => grouped.format(value);

const maxZones = 100;

/** Returns a formatter of instants in a time zone. Creating a formatter is slow, so formatters of up to 100 zones are kept. */
export function zoned(options: Intl.DateTimeFormatOptions) {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (ms: number, timeZone: string): string => {
    let formatter = formatters.get(timeZone);
    if (!formatter) {
      formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
      if (formatters.size >= maxZones) formatters.clear();
      formatters.set(timeZone, formatter);
    }
    return formatter.format(ms);
  };
}
