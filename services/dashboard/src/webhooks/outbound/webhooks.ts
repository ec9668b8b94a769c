import { createDeadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type { TestEndpointRequest, WebhooksServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { pageCalls } from '../../app/outbound/call.ts';

/** Longer than the service waits for the answer of a receiver. */
const testTimeoutMs = 20_000;

export type WebhooksClient = ReturnType<typeof createWebhooksClient>;

/** The calls of the webhooks service. Calls that create something may be repeated, because they have a request token. */
export function createWebhooksClient(client: GrpcClient<typeof WebhooksServiceService>) {
  return {
    ...pageCalls(
      client,
      'createEndpoint',
      'getEndpoint',
      'listEndpoints',
      'updateEndpoint',
      'deleteEndpoint',
      'rotateSecret',
      'listDeliveries',
      'getDelivery',
      'retryDelivery',
      'replay',
      'getReplayJob',
      'listReplayJobs',
      'cancelReplayJob',
    ),
    /** It is not retried, because each call sends a message. */
    testEndpoint: (request: TestEndpointRequest, origin: Origin) =>
      client.testEndpoint(request, { deadline: createDeadline(testTimeoutMs), origin }),
  };
}
