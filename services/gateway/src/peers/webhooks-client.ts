import type { GrpcClient } from '@shopscope/grpc';
import type { WebhooksServiceService } from '@shopscope/proto';
import { forCaller } from './for-caller.ts';

export type WebhooksClient = ReturnType<typeof createWebhooksClient>;

/** The calls of the webhooks service. A refusal by the service has the text for the caller. */
export function createWebhooksClient(client: GrpcClient<typeof WebhooksServiceService>) {
  return {
    createEndpoint: forCaller(client.createEndpoint),
    getEndpoint: forCaller(client.getEndpoint),
    listEndpoints: forCaller(client.listEndpoints),
    updateEndpoint: forCaller(client.updateEndpoint),
    deleteEndpoint: forCaller(client.deleteEndpoint),
    rotateSecret: forCaller(client.rotateSecret),
    testEndpoint: forCaller(client.testEndpoint),
    listDeliveries: forCaller(client.listDeliveries),
    getDelivery: forCaller(client.getDelivery),
    retryDelivery: forCaller(client.retryDelivery),
    replay: forCaller(client.replay),
    getReplayJob: forCaller(client.getReplayJob),
    listReplayJobs: forCaller(client.listReplayJobs),
    cancelReplayJob: forCaller(client.cancelReplayJob),
  };
}
