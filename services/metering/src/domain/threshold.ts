import { type UnitKey, type Units, unitKeys } from '@shopscope/proto';

/** The thresholds of each unit, in percent of the included units. */
const percents = [80, 100] as const;

/** A percentage of the included units of a period. Reaching it is announced once. */
export interface Threshold {
  unit: UnitKey;
  percent: number;
  included: number;
  /** The smallest number of used units that reaches the threshold. */
  reachedAt: number;
}

/** The highest announced threshold in percent, by unit. A unit without an announced threshold is absent. */
export type Announced = Partial<Record<UnitKey, number>>;

/** The part of an allowance that decides which thresholds are reached. */
export interface AllowanceLimits {
  included: Units;
  /** The units that are used, reserved or lent, as the transaction reads them. Absent if the allowance was read outside of the transaction. */
  taken?: Units;
}

/** Returns the thresholds of an allowance. A unit of which nothing is included has none. */
export function thresholdsOf(included: Units): Threshold[] {
  return unitKeys.flatMap((unit) =>
    included[unit] > 0
      ? percents.map((percent) => ({
          unit,
          percent,
          included: included[unit],
          reachedAt: Math.ceil((included[unit] * percent) / 100),
        }))
      : [],
  );
}

/**
 * Returns the thresholds that the used units may have reached. Used units are part of the taken units, so a threshold above these is not reached.
 * `delta` is the change of the taken units in the same transaction.
 */
export function mayBeReached({ included, taken }: AllowanceLimits, delta: Units): Threshold[] {
  return thresholdsOf(included).filter(
    ({ unit, reachedAt }) => taken === undefined || taken[unit] + delta[unit] >= reachedAt,
  );
}

/** Returns the thresholds that the used units have reached and that were not announced, by unit and percent. */
export const reachedBy = (thresholds: readonly Threshold[], used: Units, announced: Announced): Threshold[] =>
  thresholds.filter(({ unit, percent, reachedAt }) => used[unit] >= reachedAt && (announced[unit] ?? 0) < percent);

/** `reached` is ordered by percent, so the highest threshold of a unit remains. */
export const announcedAfter = (before: Announced, reached: readonly Threshold[]): Announced => ({
  ...before,
  ...Object.fromEntries(reached.map(({ unit, percent }) => [unit, percent])),
});
