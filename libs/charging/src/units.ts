import { noUnits, type UnitKey, type Units, unitKeys, unitNames } from '@shopscope/proto';

/** Returns the member of `Units` for a unit's name in the contract, or undefined if there is no such unit. */
export const unitKeyOf = (name: string): UnitKey | undefined => unitKeys.find((key) => unitNames[key] === name);

/** Returns the units that are not zero, under their names in the contract. */
export function nonZeroContractUnitsOf(units: Units): Record<string, number> {
  return Object.fromEntries(Object.entries(contractUnitsOf(units)).filter(([, count]) => count > 0));
}

/** Returns the units under their names in the contract. */
export function contractUnitsOf(units: Units | undefined) {
  const { lookupCached, lookupLive, historyQuery, refreshRequested } = units ?? noUnits;
  return {
    history_query: historyQuery,
    lookup_cached: lookupCached,
    lookup_live: lookupLive,
    refresh_requested: refreshRequested,
  };
}
