import { noUnits, type UnitKey, type Units, unitKeys, unitNames } from '@shopscope/proto';

/** The member of `Units` for a unit's name in the contract; undefined when there is no such unit. */
export const unitKeyOf = (name: string): UnitKey | undefined => unitKeys.find((key) => unitNames[key] === name);

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
