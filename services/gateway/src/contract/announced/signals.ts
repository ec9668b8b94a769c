import { z } from 'zod';
import { storeExample } from '../examples/store.ts';
import type { Operation } from '../operation.ts';
import { domain, idWith, named, pageOf, slug, timestamp } from '../schemas.ts';
import { confidenceValues, observation, signal, signalTypes, storeParams } from '../store.ts';
import { technologyKinds } from '../technologies.ts';
import { exampleDomain, exampleTime, pageQuery } from './shared.ts';

/** History of a store, signals across stores, and the workspace's event sequence. */
const historyFilters = {
  from: timestamp().optional(),
  to: timestamp().optional(),
  type: z.enum(signalTypes).optional(),
  technology: slug().optional(),
  category: slug().optional(),
};

const history = named(
  'History',
  z.object({
    domain: domain(),
    observation,
    window: z.object({ from: timestamp(), to: timestamp(), truncated_by_plan: z.boolean() }),
    data: z.array(signal).describe('Newest effective_at first'),
    next_cursor: z.string().nullable(),
  }),
);

const storeSignal = named('StoreSignal', signal.extend({ domain: domain(), storefront_id: idWith('sf') }));
const signalPage = pageOf('SignalPage', storeSignal);

export const eventTypes = [
  'signal.confirmed',
  'scan.completed',
  'scan.failed',
  'usage.threshold_reached',
  'key.expiring',
  'webhook.disabled',
] as const;

export const event = named(
  'Event',
  z.object({
    id: idWith('evt'),
    type: z.enum(eventTypes),
    created_at: timestamp(),
    data: z.record(z.string(), z.unknown()),
  }),
);

const eventPage = named(
  'EventPage',
  z.object({
    data: z.array(event),
    next_cursor: z.string().describe('Where to resume; never null'),
    has_more: z.boolean(),
  }),
);

export const exampleSignal = {
  id: 'evt_01kandxv3w9p4nsbq7g8e2hm5t',
  type: 'technology_added',
  technology: 'klaviyo',
  from: null,
  to: 'active',
  confidence: 'high',
  effective_at: exampleTime,
  confirmed_at: exampleTime,
};

export const exampleEvent = {
  id: exampleSignal.id,
  type: 'signal.confirmed',
  created_at: exampleTime,
  data: { ...exampleSignal, domain: exampleDomain },
};

const signalBilling = 'One history_query per answer with at least one row; empty answers and 404 are free';

export const announcedSignalOperations = [
  {
    id: 'getStoreHistory',
    method: 'GET',
    path: '/v1/stores/{domain}/history',
    tag: 'Signals',
    summary: 'Confirmed signals of one store, newest first',
    access: 'key',
    scope: 'read:signals',
    billing: signalBilling,
    served: false,
    params: storeParams,
    query: z.strictObject({ ...historyFilters, ...pageQuery }),
    success: {
      status: 200,
      description: 'Signals within the window that the plan reaches.',
      schema: history,
      example: {
        domain: exampleDomain,
        observation: storeExample.observation,
        window: { from: '2025-10-17T12:00:00.000Z', to: exampleTime, truncated_by_plan: true },
        data: [exampleSignal],
        next_cursor: null,
      },
    },
    errors: ['not_found', 'payment_required'],
  },
  {
    id: 'searchSignals',
    method: 'GET',
    path: '/v1/signals',
    tag: 'Signals',
    summary: 'Confirmed signals across stores',
    access: 'key',
    scope: 'read:signals',
    billing: signalBilling,
    served: false,
    query: z.strictObject({
      ...historyFilters,
      kind: z.enum(technologyKinds).optional(),
      platform: slug().optional(),
      country: z.string().length(2).optional(),
      industry: slug().optional(),
      confidence: z.enum(confidenceValues).optional(),
      confirmed_from: timestamp().optional(),
      confirmed_to: timestamp().optional(),
      list_id: idWith('lst').optional(),
      ...pageQuery,
    }),
    success: {
      status: 200,
      description: 'A page of signals.',
      schema: signalPage,
      example: {
        data: [{ ...exampleSignal, domain: exampleDomain, storefront_id: storeExample.storefront_id }],
        next_cursor: null,
      },
    },
    errors: ['payment_required'],
  },
  {
    id: 'pollEvents',
    method: 'GET',
    path: '/v1/events',
    tag: 'Signals',
    summary: "The workspace's events in sequence",
    description: 'Events are kept for 30 days; an older cursor answers 400 naming after.',
    access: 'key',
    scope: 'read:signals',
    billing: 'free',
    served: false,
    query: z.strictObject({
      after: z.string().min(1).max(500).optional(),
      types: z.string().max(500).optional().describe('Comma-separated event types'),
      watchlist_id: idWith('wl').optional(),
      limit: pageQuery.limit,
    }),
    success: {
      status: 200,
      description: 'Events after the cursor, oldest first.',
      schema: eventPage,
      example: { data: [exampleEvent], next_cursor: 'ZXZ0XzAx.c2lnbmF0dXJl', has_more: false },
    },
  },
] as const satisfies readonly Operation[];
