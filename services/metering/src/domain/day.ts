import { dayMs, type Period } from '@shopscope/clock';

/**
 * Returns the first instant of the UTC day of `instantMs`, after bounding `instantMs` to the period. The days of a
 * charge therefore lie in its period, even if the clocks of gateway and metering differ at the end of a month.
 */
export function dayWithin({ startMs, endMs }: Period, instantMs: number): number {
  const boundedMs = Math.min(Math.max(instantMs, startMs), endMs - 1);
  return boundedMs - (boundedMs % dayMs);
}

/** Returns the name of the UTC day that starts at `startMs`, e.g. `2027-03-05`. {@link dayStart} is the inverse. */
export const dayName = (startMs: number): string => new Date(startMs).toISOString().slice(0, 10);

export const dayStart = (name: string): number => Date.parse(`${name}T00:00:00Z`);
