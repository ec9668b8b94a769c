import type { Units } from '@shopscope/proto';

/** Billing units with the names of the API. */
export type UnitCounts = {
  history_query: number;
  lookup_cached: number;
  lookup_live: number;
  refresh_requested: number;
};

export function encodeUnits(units: Units | undefined): UnitCounts {
  return {
    history_query: units?.historyQuery ?? 0,
    lookup_cached: units?.lookupCached ?? 0,
    lookup_live: units?.lookupLive ?? 0,
    refresh_requested: units?.refreshRequested ?? 0,
  };
}
