import { workspaceEventTypes } from '@shopscope/proto';
import { z } from 'zod';
import { free, type Operation } from '../../contract/operation.ts';
import {
  count,
  idWith,
  inResponse,
  named,
  openEnum,
  pageOf,
  sentTimestamp,
  timestamp,
} from '../../contract/schemas.ts';
import { deleted, exampleTime, exampleTimes, idParams, pageQuery, pageSuccess, times } from './shared.ts';

/** Webhook endpoints and their deliveries, according to Standard Webhooks 1.0. */
const httpsUrl = z.url().regex(/^https:/);
const fields = {
  url: httpsUrl.describe('https only'),
  event_types: z.array(z.enum(workspaceEventTypes)).min(1),
  watchlist_ids: z.array(idWith('wl')).max(100).optional(),
  description: z.string().max(500),
};

const webhook = named(
  'Webhook',
  z.object({
    id: idWith('whk'),
    ...inResponse(fields),
    state: openEnum(['active', 'paused', 'disabled']),
    ...times,
  }),
);
const secret = z.string().regex(/^whsec_/);
const webhookWithSecret = named('WebhookWithSecret', webhook.extend({ secret: secret.describe('Shown once') }));

const deliveryStates = ['pending', 'delivering', 'succeeded', 'retrying', 'failed'] as const;
const delivery = named(
  'Delivery',
  z.object({
    id: idWith('dlv'),
    webhook_id: idWith('whk'),
    event_id: idWith('evt'),
    event_type: openEnum(workspaceEventTypes),
    state: openEnum(deliveryStates),
    attempts: z.array(
      z.object({
        at: timestamp(),
        status: z.int().nullable().describe('null when no answer came'),
        latency_ms: count(),
        body_excerpt: z.string().max(1024),
      }),
    ),
    next_attempt_at: timestamp().nullable(),
    created_at: timestamp(),
  }),
);

const createExample = {
  url: 'https://hooks.example/shopscope',
  event_types: ['signal.confirmed'],
  description: 'Production',
};
const webhookExample = { id: 'whk_01kandxv3w9p4nsbq7g8e2hm5t', ...createExample, state: 'active', ...exampleTimes };
const deliveryExample = {
  id: 'dlv_01kandxv3w9p4nsbq7g8e2hm5t',
  webhook_id: webhookExample.id,
  event_id: 'evt_01kandxv3w9p4nsbq7g8e2hm5t',
  event_type: 'signal.confirmed',
  state: 'succeeded',
  attempts: [{ at: exampleTime, status: 204, latency_ms: 87, body_excerpt: '' }],
  next_attempt_at: null,
  created_at: exampleTime,
};

const shared = { tag: 'Webhooks', access: 'key', billing: free, served: false } as const;
const read = { ...shared, scope: 'read:webhooks' } as const;
const write = { ...shared, scope: 'write:webhooks' } as const;
const path = '/v1/webhooks/{webhook_id}';
const ofOne = { path, params: idParams('webhook_id', 'whk'), errors: ['not_found_webhook'] } as const;
const ofDelivery = {
  path: '/v1/deliveries/{delivery_id}',
  params: idParams('delivery_id', 'dlv'),
  errors: ['not_found_delivery'],
} as const;
const success = { status: 200, description: 'The webhook.', schema: webhook, example: webhookExample } as const;
const accepted = { status: 202, description: 'The delivery.', schema: delivery, example: deliveryExample } as const;
const secretExample = { ...webhookExample, secret: 'whsec_C2FVsBQIhrscChlQIMV-b5sSYspob7oD' };

export const announcedWebhookOperations = [
  {
    ...write,
    id: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook; its secret is shown once',
    body: named('WebhookCreate', z.strictObject(fields)),
    idempotent: true,
    success: {
      ...success,
      status: 201,
      schema: webhookWithSecret,
      example: secretExample,
      requestExample: createExample,
    },
  },
  {
    ...read,
    id: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'Every webhook of the workspace',
    query: z.strictObject(pageQuery),
    success: pageSuccess(pageOf('WebhookPage', webhook), webhookExample),
  },
  { ...read, ...ofOne, id: 'getWebhook', method: 'GET', summary: 'One webhook', success },
  {
    ...write,
    ...ofOne,
    id: 'updateWebhook',
    method: 'PATCH',
    summary: 'Change, pause or resume a webhook',
    body: named('WebhookUpdate', z.strictObject({ ...fields, state: z.enum(['active', 'paused']) }).partial()),
    success: { ...success, requestExample: { state: 'paused' } },
  },
  {
    ...write,
    ...ofOne,
    id: 'deleteWebhook',
    method: 'DELETE',
    summary: 'Delete a webhook',
    success: deleted,
  },
  {
    ...write,
    ...ofOne,
    id: 'testWebhook',
    method: 'POST',
    path: `${path}/test`,
    summary: 'Send a test event',
    idempotent: true,
    success: accepted,
  },
  {
    ...write,
    ...ofOne,
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: `${path}/rotate_secret`,
    summary: 'Make a new secret; the old one signs as well while they overlap',
    body: named('WebhookRotate', z.strictObject({ overlap_hours: z.int().min(0).max(168).default(24) })),
    idempotent: true,
    success: { ...success, schema: webhookWithSecret, example: secretExample, requestExample: { overlap_hours: 24 } },
  },
  {
    ...write,
    ...ofOne,
    id: 'replayWebhook',
    method: 'POST',
    path: `${path}/replay`,
    summary: 'Deliver the events of a time span again',
    body: named('WebhookReplay', z.strictObject({ from: sentTimestamp(), to: sentTimestamp() })),
    idempotent: true,
    success: {
      status: 202,
      description: 'How many events will be delivered again.',
      schema: named('WebhookReplayed', z.object({ events: count() })),
      example: { events: 12 },
      requestExample: { from: '2026-01-14T00:00:00.000Z', to: exampleTime },
    },
  },
  {
    ...read,
    ...ofOne,
    id: 'listDeliveries',
    method: 'GET',
    path: `${path}/deliveries`,
    summary: 'Deliveries of a webhook, newest first',
    query: z.strictObject({ state: z.enum(deliveryStates).optional(), ...pageQuery }),
    success: pageSuccess(pageOf('DeliveryPage', delivery), deliveryExample),
  },
  {
    ...read,
    ...ofDelivery,
    id: 'getDelivery',
    method: 'GET',
    summary: 'One delivery with its attempts',
    success: { ...accepted, status: 200 },
  },
  {
    ...write,
    ...ofDelivery,
    id: 'retryDelivery',
    method: 'POST',
    path: `${ofDelivery.path}/retry`,
    summary: 'Try a delivery again now',
    idempotent: true,
    success: { ...accepted, example: { ...deliveryExample, state: 'pending', attempts: [] } },
  },
] as const satisfies readonly Operation[];
