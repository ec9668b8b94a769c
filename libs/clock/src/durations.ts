/** Durations in milliseconds. A day has 24 hours, because days are UTC days. */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** For cookies and expiring indexes, which count seconds. */
export const daySeconds = dayMs / secondMs;
