import { dayMs } from '@shopscope/clock/durations';

/** A key that expires within this time is marked on pages. */
export const expiresSoonMs = 14 * dayMs;
