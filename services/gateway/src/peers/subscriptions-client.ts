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
}

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
    listListDomains: bound(client.listListDomains),
    filterListDomains: bound(client.filterListDomains),
  };
}
