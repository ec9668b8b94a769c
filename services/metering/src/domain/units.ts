import { noUnits, type UnitKey, type Units, unitKeys } from '@shopscope/proto';

/** Arithmetic over billing units. Amounts are whole numbers, exact up to 2^53. */

/** Returns the members that are not zero, for storage. {@link unitsOf} is the inverse. */
export function nonZero(a: Units): Partial<Units> {
  const some: Partial<Units> = {};
  for (const key of unitKeys) if (a[key] !== 0) some[key] = a[key];
  return some;
}

export const add = (a: Units, b: Units): Units => combine(a, b, (x, y) => x + y);
export const subtract = (a: Units, b: Units): Units => combine(a, b, (x, y) => x - y);
export const negate = (a: Units): Units => subtract(noUnits, a);
export const atLeastZero = (a: Units): Units => combine(a, noUnits, Math.max);
export const smallest = (a: Units, b: Units): Units => combine(a, b, Math.min);

export const equal = (a: Units, b: Units): boolean => unitKeys.every((key) => a[key] === b[key]);

/** Whether all amounts are whole, not negative, and small enough that sums stay exact. */
export const isAmount = (a: Units): boolean =>
  unitKeys.every((key) => Number.isInteger(a[key]) && a[key] >= 0 && a[key] <= 1e12);

/** Returns the first requested unit for which taken + requested exceeds `included`. It ignores units that are not requested. */
export const firstExhaustedUnit = (taken: Units, requested: Units, included: Units): UnitKey | undefined =>
  unitKeys.find((key) => requested[key] > 0 && taken[key] + requested[key] > included[key]);

function combine(a: Units, b: Units, by: (x: number, y: number) => number): Units {
  return {
    lookupCached: by(a.lookupCached, b.lookupCached),
    lookupLive: by(a.lookupLive, b.lookupLive),
    historyQuery: by(a.historyQuery, b.historyQuery),
    refreshRequested: by(a.refreshRequested, b.refreshRequested),
  };
}
