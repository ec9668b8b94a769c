import type { Units } from '@shopscope/proto';

/** Billing units with the names of the API. */
export function encodeUnits(units: Units | undefined) {
  return {
    history_query: units?.historyQuery ?? 0,
    lookup_cached: units?.lookupCached ?? 0,
    lookup_live: units?.lookupLive ?? 0,
    refresh_requested: units?.refreshRequested ?? 0,
  };
}
