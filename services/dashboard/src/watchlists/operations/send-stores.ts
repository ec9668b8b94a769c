import { batchFrom, maxStoresPerCall } from '@shopscope/client';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import type { ImportedStore } from '../../lists/domain.ts';

/** Adds stores to a watchlist in calls of the API. Returns their number. A store that is in the watchlist stays. */
export async function sendStores(
  deps: Dependencies,
  visit: WorkspaceVisit,
  watchlistId: string,
  stores: readonly ImportedStore[],
): Promise<number> {
  let sent = 0;
  for (;;) {
    const call = batchFrom(stores, sent, maxStoresPerCall);
    if (call.length === 0) return sent;
    await callApi(deps, visit, (client) => client.addWatchlistStores(watchlistId, { stores: call }));
    sent += call.length;
  }
}
