import type { Units } from '@shopscope/proto';

/** The billing units, with their names in the HTTP contract and in the order of /v1/usage. */
export const unitNames = ['lookup_cached', 'lookup_live', 'history_query', 'refresh_requested'] as const;

export type UnitName = (typeof unitNames)[number];
export type UnitCounts = Record<UnitName, number>;

/** The counts in a message. An absent count is zero. */
export function countsOf(units: Units | undefined): UnitCounts {
  return {
    lookup_cached: units?.lookupCached ?? 0,
    lookup_live: units?.lookupLive ?? 0,
    history_query: units?.historyQuery ?? 0,
    refresh_requested: units?.refreshRequested ?? 0,
  };
}

export const addCounts = (a: UnitCounts, b: UnitCounts) =>
  Object.fromEntries(unitNames.map((unit) => [unit, a[unit] + b[unit]])) as UnitCounts;

export const noCounts: UnitCounts = countsOf(undefined);
