/**
 * Days and instants as people write them. Date.parse accepts days and times that do not exist: it reads 31 February as 3 March and 24:00 as
 * the next day.
 */

const day = '((?!0000)\\d{4}-\\d{2}-\\d{2})';
const dayPattern = new RegExp(`^${day}$`);
const instantPattern = new RegExp(`^${day}T(?:[01]\\d|2[0-3]):\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:Z|[+-]\\d{2}:\\d{2})$`);

/** Returns the first instant of a UTC day (YYYY-MM-DD). Undefined for text that is not a day of the calendar since the year 1. */
export function parseDay(text: string): number | undefined {
  if (!dayPattern.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : undefined;
}

/** Parses an ISO 8601 instant with Z or an offset. Undefined without Z or an offset, and for a day or a time that does not exist. */
export function parseInstant(text: string): number | undefined {
  const [, written] = instantPattern.exec(text) ?? [];
  if (written === undefined || parseDay(written) === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
