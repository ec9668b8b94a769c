import type { GrpcClient } from '@shopscope/grpc';
import type { CountStoresRequest, CountStoresResponse, SearchServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callService } from './call.ts';

export type SearchClient = ReturnType<typeof createSearchClient>;

/** The calls of search. Rejects while search, its engine or the first edition is not there. */
export const createSearchClient = (client: Pick<GrpcClient<typeof SearchServiceService>, 'countStores'>) => ({
  /** Returns the true numbers. Pages show what `shownCount` makes of them. */
  countStores: (request: CountStoresRequest, origin: Origin): Promise<CountStoresResponse> =>
    callService((options) => client.countStores(request, options), origin),
});
