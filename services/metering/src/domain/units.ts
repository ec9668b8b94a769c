/** Arithmetic over billing units. Amounts are whole numbers, exact up to 2^53. */
export interface Units {
  lookupCached: number;
  lookupLive: number;
  historyQuery: number;
  refreshRequested: number;
}

export const unitKeys = ['lookupCached', 'lookupLive', 'historyQuery', 'refreshRequested'] as const;
export type UnitKey = (typeof unitKeys)[number];

/** Names of the units in the public contract. */
export const unitNames: Readonly<Record<UnitKey, string>> = {
  lookupCached: 'lookup_cached',
  lookupLive: 'lookup_live',
  historyQuery: 'history_query',
  refreshRequested: 'refresh_requested',
};

export const noUnits: Units = Object.freeze({ lookupCached: 0, lookupLive: 0, historyQuery: 0, refreshRequested: 0 });

export const unitsOf = (partial: Partial<Units> | null | undefined): Units => ({ ...noUnits, ...partial });

/** The members that are not zero, as they are stored. {@link unitsOf} is the inverse. */
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

export const isZero = (a: Units): boolean => unitKeys.every((key) => a[key] === 0);
export const equal = (a: Units, b: Units): boolean => unitKeys.every((key) => a[key] === b[key]);

/** Valid amounts: whole, not negative, and small enough that sums stay exact. */
export const isAmount = (a: Units): boolean =>
  unitKeys.every((key) => Number.isInteger(a[key]) && a[key] >= 0 && a[key] <= 1e12);

/** The first requested unit for which taken + requested exceeds `included`. Units that are not requested are ignored. */
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
