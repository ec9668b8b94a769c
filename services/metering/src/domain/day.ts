import { dayMs, type Period } from '@shopscope/clock';

/**
 * First instant of the UTC day of an instant, which is first bounded into the period. So the days of a charge lie in its
 * period, also when the clocks of gateway and metering differ at the end of a month.
 */
export function dayWithin({ startMs, endMs }: Period, instantMs: number): number {
  const boundedMs = Math.min(Math.max(instantMs, startMs), endMs - 1);
  return boundedMs - (boundedMs % dayMs);
}

/** Name of the UTC day that starts at `startMs`, e.g. `2027-03-05`. {@link dayStart} is the inverse. */
export const dayName = (startMs: number): string => new Date(startMs).toISOString().slice(0, 10);

export const dayStart = (name: string): number => Date.parse(`${name}T00:00:00Z`);
