import type { Deadline } from '@shopscope/async';
import { type CallOptions, callPeerForCaller, type GrpcClient } from '@shopscope/grpc';
import type * as proto from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

type Service = typeof proto.SubscriptionsServiceService;

export type SubscriptionsClient = ReturnType<typeof createSubscriptionsClient>;

/** The request whose call it is. */
export interface OfRequest {
  origin: Origin;
  deadline: Deadline;
  /** Cancels the call. */
  abort?: AbortSignal | undefined;
}

/** The rest of a call after its wait. */
const afterWaitMs = 1_500;

/** The calls of the subscriptions service. A refusal by the service has the text for the caller. */
export function createSubscriptionsClient(client: GrpcClient<Service>) {
  const bound =
    <Request, Response>(method: (request: Request, options?: CallOptions) => Promise<Response>) =>
    (request: Request, { origin, deadline }: OfRequest): Promise<Response> =>
      callPeerForCaller((options) => method(request, options), { origin, deadline });
  return {
    createList: bound(client.createList),
    getList: bound(client.getList),
    listLists: bound(client.listLists),
    updateList: bound(client.updateList),
    deleteList: bound(client.deleteList),
    addListStores: bound(client.addListStores),
    removeListStores: bound(client.removeListStores),
    removeListStore: bound(client.removeListStore),
    listListStores: bound(client.listListStores),
    /** The wait ends early enough for the response, even when the call is repeated on another instance. */
    listEvents: (request: proto.ListEventsRequest, { origin, deadline, abort }: OfRequest) =>
      callPeerForCaller(
        (options) => {
          const waitMs = Math.min(request.waitMs, Math.max(0, Math.floor(deadline.remainingMs - afterWaitMs)));
          return client.listEvents({ ...request, waitMs }, { ...options, abort });
        },
        { origin, deadline },
      ),
    createWatchlist: bound(client.createWatchlist),
    getWatchlist: bound(client.getWatchlist),
    listWatchlists: bound(client.listWatchlists),
    updateWatchlist: bound(client.updateWatchlist),
    deleteWatchlist: bound(client.deleteWatchlist),
    addWatchlistStores: bound(client.addWatchlistStores),
    removeWatchlistStores: bound(client.removeWatchlistStores),
    removeWatchlistStore: bound(client.removeWatchlistStore),
    listWatchlistStores: bound(client.listWatchlistStores),
    quoteListEnrich: bound(client.quoteListEnrich),
    startListEnrich: bound(client.startListEnrich),
    getBulkJob: bound(client.getBulkJob),
    listBulkJobs: bound(client.listBulkJobs),
    cancelBulkJob: bound(client.cancelBulkJob),
    listBulkJobResults: bound(client.listBulkJobResults),
    listListDomains: bound(client.listListDomains),
    filterListDomains: bound(client.filterListDomains),
  };
}
