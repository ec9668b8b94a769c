import type { Units } from '@shopscope/proto';

export const noUnits: Units = { lookupCached: 0, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };

export function unitsOf(counts: Partial<Units>): Units {
  return { ...noUnits, ...counts };
}

export function isZero(units: Units): boolean {
  return units.lookupCached + units.lookupLive + units.historyQuery + units.refreshRequested === 0;
}

export type UnitKey = keyof Units;

const unitKeys: Readonly<Record<string, UnitKey>> = {
  history_query: 'historyQuery',
  lookup_cached: 'lookupCached',
  lookup_live: 'lookupLive',
  refresh_requested: 'refreshRequested',
};

/** The member of `Units` for a unit's name in the contract; undefined when there is no such unit. */
export function unitKeyOf(name: string): UnitKey | undefined {
  return Object.hasOwn(unitKeys, name) ? unitKeys[name] : undefined;
}

/** The name of a unit in the contract: the inverse of {@link unitKeyOf}. */
export const unitNames = Object.fromEntries(Object.entries(unitKeys).map(([name, key]) => [key, name])) as Readonly<
  Record<UnitKey, string>
>;

/** The units that are not zero, under their names in the contract. */
export function nonZeroContractUnitsOf(units: Units): Record<string, number> {
  return Object.fromEntries(Object.entries(contractUnitsOf(units)).filter(([, count]) => count > 0));
}

/** The units under their names in the contract. */
export function contractUnitsOf(units: Units | undefined) {
  const { lookupCached, lookupLive, historyQuery, refreshRequested } = units ?? noUnits;
  return {
    history_query: historyQuery,
    lookup_cached: lookupCached,
    lookup_live: lookupLive,
    refresh_requested: refreshRequested,
  };
}
