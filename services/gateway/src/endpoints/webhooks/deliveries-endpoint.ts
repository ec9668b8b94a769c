import { jsonReply } from '../../http/reply/reply.ts';
import { runIdempotently, unchargedReply } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import {
  delivery,
  deliveryPage,
  deliveryParams,
  deliveryQuery,
  exampleDelivery,
  reads,
  webhookDeliveryQuery,
  webhookParams,
  writes,
} from './contract.ts';
import { pageOfDeliveries, readDelivery, retry } from './deliveries.ts';

const headers = ['Cache-Control'] as const;
const page = {
  status: 200,
  description: 'A page of deliveries.',
  schema: deliveryPage,
  example: { data: [exampleDelivery], next_cursor: null },
  headers,
} as const;
const ofOne = {
  path: '/v1/deliveries/{delivery_id}',
  params: deliveryParams,
  errors: ['not_found_delivery'],
} as const;
const success = {
  status: 200,
  description: 'The delivery.',
  schema: delivery,
  example: exampleDelivery,
  headers,
} as const;

export const listDeliveries = defineEndpoint({
  ...reads,
  id: 'listDeliveries',
  method: 'GET',
  path: '/v1/deliveries',
  summary: 'Deliveries of the workspace, newest first',
  description: 'Deliveries are kept for 30 days, those of deleted webhooks too.',
  query: deliveryQuery,
  success: page,
  errors: ['not_found_webhook', 'not_found_delivery'],
  handle: async (request, deps) => jsonReply(200, await pageOfDeliveries(deps, request, request.query)),
});

export const listWebhookDeliveries = defineEndpoint({
  ...reads,
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  summary: 'Deliveries of a webhook, newest first',
  params: webhookParams,
  query: webhookDeliveryQuery,
  success: page,
  errors: ['not_found_webhook'],
  handle: async (request, deps) =>
    jsonReply(200, await pageOfDeliveries(deps, request, { ...request.query, ...request.params })),
});

export const getDelivery = defineEndpoint({
  ...reads,
  ...ofOne,
  id: 'getDelivery',
  method: 'GET',
  summary: 'One delivery with its attempts',
  success,
  handle: async (request, deps) => jsonReply(200, await readDelivery(deps, request, request.params.delivery_id)),
});

export const retryDelivery = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'retryDelivery',
  method: 'POST',
  path: `${ofOne.path}/retry`,
  summary: 'Try a delivery again now',
  description:
    'Makes one more attempt now, whatever the state of the delivery. While its webhook is paused or disabled, the response is 400 and names the state.',
  idempotent: true,
  success: {
    ...success,
    status: 202,
    example: { ...exampleDelivery, state: 'pending', next_attempt_at: exampleDelivery.created_at },
  },
  handle(request, deps) {
    const { delivery_id } = request.params;
    return runIdempotently(deps, request, { delivery_id }, async () =>
      unchargedReply(202, await retry(deps, request, delivery_id)),
    );
  },
});
