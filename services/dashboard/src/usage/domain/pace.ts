import type { Period } from '@shopscope/clock';
import { dayMs } from '@shopscope/clock/durations';

/**
 * The pace of a unit in the current period, and the projection from it.
 *
 * - Pace: the mean of the last full UTC days, at most seven, so that every day of a week counts once.
 * - Only days since the first day with units count. At least {@link minDays} days are needed, because fewer are not reliable.
 * - Projection: the units that are used now, plus the pace for the remaining time.
 */
export interface Pace {
  perDay: number;
  /** The number of full days of which the pace is the mean. */
  days: number;
  /** Units at the end of the period, rounded. */
  projected: number;
  /** The time when the allowance ends at this pace. Undefined if it does not end within the period. */
  exhaustedAtMs: number | undefined;
}

const minDays = 3;
const maxDays = 7;

/** `unitsOfDays`: the units of each day from the start of the period. Returns undefined if there is not enough data. */
export function paceOf(options: {
  unitsOfDays: readonly number[];
  used: number;
  included: number | undefined;
  period: Period;
  nowMs: number;
}): Pace | undefined {
  const { unitsOfDays, used, included, period, nowMs } = options;
  const today = Math.floor((nowMs - period.startMs) / dayMs);
  const first = unitsOfDays.findIndex((units) => units > 0);
  if (first < 0 || nowMs >= period.endMs) return undefined;
  const days = unitsOfDays.slice(Math.max(first, today - maxDays), today);
  if (days.length < minDays) return undefined;
  const perDay = days.reduce((sum, units) => sum + units, 0) / days.length;
  const daysLeft = (period.endMs - nowMs) / dayMs;
  const daysToExhaustion = included === undefined || perDay === 0 ? Infinity : (included - used) / perDay;
  return {
    perDay,
    days: days.length,
    projected: Math.round(used + perDay * daysLeft),
    exhaustedAtMs:
      daysToExhaustion > 0 && daysToExhaustion < daysLeft ? Math.round(nowMs + daysToExhaustion * dayMs) : undefined,
  };
}
