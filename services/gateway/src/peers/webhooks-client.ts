import { type CallOptions, callPeerForCaller, type GrpcClient } from '@shopscope/grpc';
import type { WebhooksServiceService } from '@shopscope/proto';
import type { OfRequest } from './subscriptions-client.ts';

export type WebhooksClient = ReturnType<typeof createWebhooksClient>;

/** The calls of the webhooks service. A refusal by the service has the text for the caller. */
export function createWebhooksClient(client: GrpcClient<typeof WebhooksServiceService>) {
  const bound =
    <Request, Response>(method: (request: Request, options?: CallOptions) => Promise<Response>) =>
    (request: Request, { origin, deadline }: OfRequest): Promise<Response> =>
      callPeerForCaller((options) => method(request, options), { origin, deadline });
  return {
    createEndpoint: bound(client.createEndpoint),
    getEndpoint: bound(client.getEndpoint),
    listEndpoints: bound(client.listEndpoints),
    updateEndpoint: bound(client.updateEndpoint),
    deleteEndpoint: bound(client.deleteEndpoint),
    rotateSecret: bound(client.rotateSecret),
    testEndpoint: bound(client.testEndpoint),
    listDeliveries: bound(client.listDeliveries),
    getDelivery: bound(client.getDelivery),
    retryDelivery: bound(client.retryDelivery),
    replay: bound(client.replay),
    getReplayJob: bound(client.getReplayJob),
    listReplayJobs: bound(client.listReplayJobs),
    cancelReplayJob: bound(client.cancelReplayJob),
  };
}
