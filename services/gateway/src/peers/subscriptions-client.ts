import { AppError } from '@shopscope/errors';
import { callPeerForCaller, type GrpcClient, orUnavailable } from '@shopscope/grpc';
import type * as proto from '@shopscope/proto';
import { forCaller, type OfRequest } from './for-caller.ts';

type Service = typeof proto.SubscriptionsServiceService;

export type SubscriptionsClient = ReturnType<typeof createSubscriptionsClient>;

/** The rest of a call after its wait. */
const afterWaitMs = 1_500;
const retryAfterSeconds = 5;

/** The calls of the subscriptions service. A refusal by the service has the text for the caller. */
export function createSubscriptionsClient(client: GrpcClient<Service>) {
  return {
    createList: forCaller(client.createList),
    getList: forCaller(client.getList),
    listLists: forCaller(client.listLists),
    updateList: forCaller(client.updateList),
    deleteList: forCaller(client.deleteList),
    addListStores: forCaller(client.addListStores),
    removeListStores: forCaller(client.removeListStores),
    removeListStore: forCaller(client.removeListStore),
    listListStores: forCaller(client.listListStores),
    /** The wait ends early enough for the response, even when the call is repeated on another instance. */
    listEvents: (request: proto.ListEventsRequest, { origin, deadline, abort }: OfRequest) =>
      callPeerForCaller(
        (options) => {
          const waitMs = Math.min(request.waitMs, Math.max(0, Math.floor(deadline.remainingMs - afterWaitMs)));
          return client.listEvents({ ...request, waitMs }, { ...options, abort });
        },
        { origin, deadline },
      ),
    createWatchlist: forCaller(client.createWatchlist),
    getWatchlist: forCaller(client.getWatchlist),
    listWatchlists: forCaller(client.listWatchlists),
    updateWatchlist: forCaller(client.updateWatchlist),
    deleteWatchlist: forCaller(client.deleteWatchlist),
    addWatchlistStores: forCaller(client.addWatchlistStores),
    removeWatchlistStores: forCaller(client.removeWatchlistStores),
    removeWatchlistStore: forCaller(client.removeWatchlistStore),
    listWatchlistStores: forCaller(client.listWatchlistStores),
    quoteListEnrich: forCaller(client.quoteListEnrich),
    startListEnrich: forCaller(client.startListEnrich),
    readExportPart: forCaller(client.readExportPart),
    /** Searches may be unavailable while everything else is available. */
    async startExport(request: proto.StartExportRequest, of: OfRequest): Promise<proto.StartExportResponse> {
      const call = { origin: of.origin, deadline: of.deadline };
      const answer = await callPeerForCaller((options) => orUnavailable(client.startExport(request, options)), call);
      if (!(answer instanceof AppError)) return answer;
      const details = { retry_after: answer.details.retry_after ?? retryAfterSeconds };
      throw new AppError('unavailable', 'Exports are not available at the moment; retry shortly.', {
        cause: answer,
        details,
      });
    },
    getBulkJob: forCaller(client.getBulkJob),
    listBulkJobs: forCaller(client.listBulkJobs),
    cancelBulkJob: forCaller(client.cancelBulkJob),
    listBulkJobResults: forCaller(client.listBulkJobResults),
    listListDomains: forCaller(client.listListDomains),
    filterListDomains: forCaller(client.filterListDomains),
  };
}
