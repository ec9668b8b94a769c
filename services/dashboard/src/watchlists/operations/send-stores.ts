import { batchFrom, maxStoresPerCall } from '@shopscope/client';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import type { ImportedStore } from '../../lists/domain.ts';

/**
 * Adds stores to a watchlist in calls of the API. Returns the number of stores that were sent. A store that is in the watchlist stays.
 *
 * @param isEnd Whether a failure ends the calls. Every other failure is thrown.
 */
export async function sendStores(
  deps: Dependencies,
  visit: WorkspaceVisit,
  watchlistId: string,
  stores: readonly ImportedStore[],
  isEnd: (error: unknown) => boolean = () => false,
): Promise<number> {
  let sent = 0;
  for (;;) {
    const call = batchFrom(stores, sent, maxStoresPerCall);
    if (call.length === 0) return sent;
    try {
      await callApi(deps, visit, (client) => client.addWatchlistStores(watchlistId, { stores: call }));
    } catch (error) {
      if (isEnd(error)) return sent;
      throw error;
    }
    sent += call.length;
  }
}
