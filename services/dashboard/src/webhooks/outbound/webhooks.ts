import { createDeadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type { CountMatchesRequest, TestEndpointRequest, WebhooksServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { type PageCalls, pageCalls } from '../../app/outbound/call.ts';

/** Longer than the service resolves the name of a URL, and than it counts events. */
const slowTimeoutMs = 7_000;
/** Longer than the service waits for the answer of a receiver. */
const testTimeoutMs = 20_000;

type Calls = PageCalls<typeof WebhooksServiceService>;

/** The calls of the webhooks service. Errors are AppErrors with the code and the public text of the service. */
export function createWebhooksClient(client: GrpcClient<typeof WebhooksServiceService>) {
  const slow = (origin: Origin) => ({ deadline: createDeadline(slowTimeoutMs), origin });
  const createEndpoint: Calls['createEndpoint'] = (request, origin) => client.createEndpoint(request, slow(origin));
  const updateEndpoint: Calls['updateEndpoint'] = (request, origin) => client.updateEndpoint(request, slow(origin));
  const checkUrl: Calls['checkUrl'] = (request, origin) => client.checkUrl(request, slow(origin));
  return {
    ...pageCalls(
      client,
      'getEndpoint',
      'listEndpoints',
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
    createEndpoint,
    updateEndpoint,
    checkUrl,
    countMatches: (request: CountMatchesRequest, origin: Origin) => client.countMatches(request, slow(origin)),
    /** Each call sends a message, so it is not retried. */
    testEndpoint: (request: TestEndpointRequest, origin: Origin) =>
      client.testEndpoint(request, { deadline: createDeadline(testTimeoutMs), origin }),
  };
}
