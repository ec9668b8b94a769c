import { environments } from '@shopscope/environment';
import { attemptErrors, confidences, signalTypes, workspaceEventTypes } from '@shopscope/proto';
import { z } from 'zod';
import { free } from '../../contract/operation.ts';
import {
  count,
  cursor,
  idWith,
  inResponse,
  lineOfText,
  named,
  openEnum,
  pageLimit,
  pageOf,
  sentTimestamp,
  slug,
  timestamp,
} from '../../contract/schemas.ts';
import { exampleTime, exampleTimes } from '../store-groups/contract.ts';

export const shared = { tag: 'Webhooks', access: 'key', billing: free } as const;
export const reads = { ...shared, scope: 'read:webhooks' } as const;
export const writes = { ...shared, scope: 'write:webhooks' } as const;

export const webhookStates = ['active', 'paused', 'disabled'] as const;
export const disabledReasons = ['gone', 'no_success'] as const;

/** The service checks the bounds of lists and texts, too. */
const maxFilterValues = 100;
const maxHeaders = 10;
const values = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item).max(maxFilterValues).describe(`Only signals of these ${what}; empty: of all`);

const filterMembers = {
  signal_type: values(z.enum(signalTypes), 'types'),
  technology: values(slug(), 'technologies'),
  category: values(slug(), 'categories of technologies'),
  platform: values(slug(), 'platforms of the store'),
  country: values(z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'), 'countries of the store; ZZ: unknown'),
  industry: values(slug(), 'industries of the store'),
  confidence_min: z.enum(confidences).nullable().describe('The lowest confidence of a signal; null: any'),
};

const members = {
  url: z
    .string()
    .min(1)
    .max(2_048)
    .describe(
      'https only, without user and password. The name must have public addresses only; it is resolved now, and again for each attempt',
    ),
  event_types: z.array(z.enum(workspaceEventTypes)).min(1).max(workspaceEventTypes.length),
  description: lineOfText(500).nullable().describe('Text of your own; null without one'),
  watchlist_ids: z
    .array(idWith('wl'))
    .max(100)
    .describe('Only events of these watchlists; empty: of any watchlist, and of none. An unknown one is 404'),
  filters: z
    .strictObject(filterMembers)
    .partial()
    .describe(
      'Narrow the events of signals, and no others. A signal must match every filter. A value that does not exist is 400',
    ),
  max_per_minute: z
    .int()
    .min(1)
    .max(6_000)
    .nullable()
    .describe('Attempts in a minute, repeated ones included; null: no bound'),
  headers: z
    .record(z.string().min(1).max(100), z.string().max(1_024))
    .meta({ maxProperties: maxHeaders })
    .describe(
      'Headers of every attempt, at most 10. Not host, user-agent, content-*, webhook-* or a header of the connection. Their values are not shown again',
    ),
};
const { url, event_types, headers, filters, ...optional } = members;

export const webhook = named(
  'Webhook',
  z.object({
    id: idWith('whk'),
    ...inResponse({ url, event_types, ...optional }),
    filters: z.object(inResponse(filterMembers)),
    headers: z.record(z.string(), z.string()).describe('The names of the headers; each value is ***'),
    state: openEnum(webhookStates, {
      meanings: {
        active: 'events are delivered',
        paused: 'events wait for at most 30 days, and are delivered when it is active again',
        disabled: 'no delivery is made; what it misses comes by a replay only',
      },
    }),
    disabled_reason: openEnum(disabledReasons, {
      more: 'null in other states.',
      meanings: {
        gone: 'the endpoint answered 410',
        no_success: 'no delivery succeeded for 5 days, and at least 20 attempts failed',
      },
    }).nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);
export const webhookPage = pageOf('WebhookPage', webhook);
export const webhookWithSecret = named(
  'WebhookWithSecret',
  webhook.extend({
    secret: z
      .string()
      .nullable()
      .describe('whsec_ and base64: signs the messages. Shown once: null in a replayed response'),
  }),
);

export const webhookCreate = named(
  'WebhookCreate',
  z.strictObject({ url, event_types, ...z.object({ ...optional, filters, headers }).partial().shape }),
);
export const webhookUpdate = named(
  'WebhookUpdate',
  z.strictObject({ ...members, state: z.enum(['active', 'paused']) }).partial(),
);
export const webhookTest = named(
  'WebhookTest',
  z.strictObject({
    type: z.enum(workspaceEventTypes).optional().describe('Absent: the first one of its event_types'),
  }),
);
export const webhookRotate = named(
  'WebhookRotate',
  z.strictObject({
    overlap_hours: z.int().min(0).max(168).default(24).describe('How long the old secret signs, too'),
  }),
);
export const replayScopes = ['failed', 'all'] as const;
export const webhookReplay = named(
  'WebhookReplay',
  z.strictObject({
    from: sentTimestamp().describe(
      'Earliest created_at of an event, inclusive; at most 30 days before to. Older events are deleted. ISO 8601, UTC',
    ),
    to: sentTimestamp().describe('Latest created_at of an event, inclusive. ISO 8601, UTC'),
    only: z
      .enum(replayScopes)
      .default('failed')
      .describe('failed: events whose delivery is failed or retrying. all: every event that matches the webhook now'),
    event_types: members.event_types
      .optional()
      .describe('Only events of these types; absent: the event_types of the webhook'),
  }),
);
export const webhookParams = z.object({ webhook_id: idWith('whk') });
export const deliveryParams = z.object({ delivery_id: idWith('dlv') });

export const deliveryStates = ['pending', 'delivering', 'succeeded', 'retrying', 'failed'] as const;

const attemptErrorMeanings = {
  dns_failure: 'the host name has no address',
  dns_unavailable: 'the host name could not be resolved',
  blocked_address: 'the host does not have public addresses only',
  connection_refused: 'the server did not accept the connection',
  connection_reset: 'the server closed the connection before the end of its response',
  egress_broken: 'the server could not be reached from our network',
  tls_failure: 'the server has no TLS 1.2 or later, or no valid certificate of the host name',
  timeout: 'the response did not end within 15 s',
  invalid_response: 'the response is not valid HTTP',
} as const satisfies Record<(typeof attemptErrors)[number], string>;

const attempt = named(
  'DeliveryAttempt',
  z.object({
    at: timestamp(),
    status: z.int().min(100).max(999).nullable().describe('The HTTP status; null when no response came'),
    error: openEnum(attemptErrors, { meanings: attemptErrorMeanings, more: 'null when a response came.' }).nullable(),
    latency_ms: count(),
    body_excerpt: z
      .string()
      .describe(
        'The first bytes of the response, at most 1,024. It is text of the receiver: escape it before it is shown',
      ),
  }),
);

export const delivery = named(
  'Delivery',
  z.object({
    id: idWith('dlv'),
    webhook_id: idWith('whk'),
    event_id: idWith('evt').describe('The webhook-id of the message, the same in every attempt and replay'),
    event_type: openEnum(workspaceEventTypes),
    sequence: z.int().min(1).describe('The sequence of the event'),
    state: openEnum(deliveryStates, {
      meanings: {
        pending: 'an attempt is due: the first one, or one more after a retry or a replay',
        delivering: 'an attempt is in progress',
        succeeded: 'the last attempt got a 2xx response',
        retrying: 'the last attempt failed, and next_attempt_at has the next one',
        failed: 'there is no further attempt',
      },
    }),
    attempts: z.array(attempt).describe('The latest 30, in their order'),
    next_attempt_at: timestamp().nullable(),
    created_at: timestamp(),
  }),
);
export const deliveryPage = pageOf('DeliveryPage', delivery);

const pageOfDeliveries = {
  state: z.enum(deliveryStates).optional().describe('Only deliveries in this state'),
  cursor: cursor(),
  limit: pageLimit(),
};
export const webhookDeliveryQuery = z.strictObject(pageOfDeliveries);
export const deliveryQuery = z.strictObject({
  webhook_id: idWith('whk')
    .optional()
    .describe('Only deliveries to this webhook, which may be deleted; an unknown one is 404'),
  event_id: idWith('evt')
    .optional()
    .describe('Only deliveries of this event. An event without any delivery to a webhook of the workspace is 404'),
  from: sentTimestamp().optional().describe('Earliest created_at, inclusive. ISO 8601, UTC'),
  to: sentTimestamp().optional().describe('Latest created_at, inclusive. ISO 8601, UTC'),
  ...pageOfDeliveries,
});

export const webhookTested = named(
  'WebhookTested',
  z.object({
    event: z
      .object({
        id: idWith('evt').describe('The webhook-id of the message'),
        type: openEnum(workspaceEventTypes),
        timestamp: timestamp(),
        test: z.literal(true),
        data: z.record(z.string(), z.unknown()).describe('The example of GET /v1/event_types'),
        environment: openEnum(environments),
      })
      .describe('What was sent. A test has no sequence and makes no delivery'),
    attempt,
  }),
);

export const exampleWebhook = {
  id: 'whk_01kandxv3w9p4nsbq7g8e2hm5t',
  url: 'https://hooks.example/shopscope',
  event_types: ['signal.confirmed'],
  description: 'Production',
  watchlist_ids: [],
  filters: {
    signal_type: [],
    technology: ['klaviyo'],
    category: [],
    platform: [],
    country: ['DE', 'AT'],
    industry: [],
    confidence_min: 'medium',
  },
  max_per_minute: null,
  headers: { 'x-team': '***' },
  state: 'active',
  disabled_reason: null,
  ...exampleTimes,
};
export const exampleCreation = {
  url: exampleWebhook.url,
  event_types: exampleWebhook.event_types,
  description: exampleWebhook.description,
  filters: { technology: ['klaviyo'], country: ['DE', 'AT'], confidence_min: 'medium' },
  headers: { 'X-Team': 'growth' },
};
export const exampleWithSecret = { ...exampleWebhook, secret: 'whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oD' };
const exampleAttempt = { at: exampleTime, status: 204, error: null, latency_ms: 87, body_excerpt: '' };
export const exampleDelivery = {
  id: 'dlv_01kandxv3w9p4nsbq7g8e2hm5t',
  webhook_id: exampleWebhook.id,
  event_id: 'evt_01kandxv3w9p4nsbq7g8e2hm5t',
  event_type: 'signal.confirmed',
  sequence: 1042,
  state: 'succeeded',
  attempts: [exampleAttempt],
  next_attempt_at: null,
  created_at: exampleTime,
};
export const exampleTest = {
  event: {
    id: 'evt_01kandxv3w9p4nsbq7g8e2hm5t',
    type: 'webhook.failing',
    timestamp: exampleTime,
    test: true,
    data: { webhook_id: exampleWebhook.id, url: exampleWebhook.url },
    environment: 'live',
  },
  attempt: exampleAttempt,
};
