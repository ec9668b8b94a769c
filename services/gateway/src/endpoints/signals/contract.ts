import { z } from 'zod';
import { retractionMeanings } from '../../contract/meanings.ts';
import type { Operation } from '../../contract/operation.ts';
import {
  cursor,
  domain,
  idWith,
  named,
  nextCursor,
  pageLimit,
  pageOf,
  sentTimestamp,
  slug,
  timestamp,
} from '../../contract/schemas.ts';
import { confidenceValues, observation, openEnded, signal, signalTypes, storeParams } from '../get-store/contract.ts';
import { storeExample } from '../get-store/examples.ts';
import { technologyKinds } from '../technologies/contract.ts';

const includes = ['retracted'] as const;
// The current values. They are documented and not enforced.
const retractionReasons = ['technology_seen_again', 'platform_seen_again', 'status_seen_again'] as const;

/** Confirmed signals, and on request retracted ones: the history of a store, and the search across stores. */
const filters = {
  from: sentTimestamp().optional().describe('Earliest effective_at, inclusive. ISO 8601, UTC'),
  to: sentTimestamp().optional().describe('Latest effective_at, inclusive. ISO 8601, UTC'),
  type: z.enum(signalTypes).optional().describe('Only signals of this type'),
  technology: slug()
    .optional()
    .describe('Only signals of this technology; for platform_changed and status_changed the platform'),
  category: slug().optional().describe('Category of the technology; an unknown one gives an empty page'),
  include: z.enum(includes).optional().describe('`retracted`: retracted signals beside the confirmed ones'),
  retracted_from: sentTimestamp()
    .optional()
    .describe('Only retracted signals, with or without include: earliest retracted_at, inclusive. ISO 8601, UTC'),
  retracted_to: sentTimestamp()
    .optional()
    .describe('Only retracted signals, with or without include: latest retracted_at, inclusive. ISO 8601, UTC'),
};
const page = { cursor: cursor(), limit: pageLimit() };

export const historyQuery = z.strictObject({ ...filters, ...page });

export const signalQuery = z.strictObject({
  ...filters,
  kind: z.enum(technologyKinds).optional().describe('Kind of the technology'),
  platform: slug().optional().describe('Platform slug of the store when the signal was confirmed'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters')
    .optional()
    .describe('Country of the store when the signal was confirmed; ZZ: unknown'),
  industry: slug().optional().describe('Industry slug of the store when the signal was confirmed'),
  confidence: z.enum(confidenceValues).optional().describe('Only signals of this confidence'),
  confirmed_from: sentTimestamp().optional().describe('Earliest confirmed_at, inclusive. ISO 8601, UTC'),
  confirmed_to: sentTimestamp().optional().describe('Latest confirmed_at, inclusive. ISO 8601, UTC'),
  list_id: idWith('lst').optional().describe('For a later release, which serves lists; until then 400'),
  ...page,
});

/** The rows of pages. The signals of a store's profile are never retracted, and have no members about it. */
const retractions = {
  retracted_at: timestamp()
    .nullable()
    .describe('The scan that refuted the signal after its confirmation; null: it is confirmed. ISO 8601, UTC'),
  retracted_reason: openEnded(retractionReasons, retractionMeanings, ' null: it is confirmed').nullable(),
};

const historySignal = named(
  'HistorySignal',
  signal.extend(retractions),
  'A confirmed change of the store, or a retracted one.',
);

export const history = named(
  'History',
  z.object({
    domain: domain(),
    observation: observation.nullable().describe('Null on a page without rows, which is free'),
    window: z
      .object({
        from: timestamp(),
        to: timestamp(),
        truncated_by_plan: z.boolean().describe('The plan does not reach as far back as the request'),
      })
      .describe(
        'The effective_at that the pages cover, both ends inclusive; the same on every page. An empty one ends where it begins',
      ),
    data: z.array(historySignal).describe('Newest effective_at first, then the larger id'),
    next_cursor: nextCursor(),
  }),
);

export const storeSignal = named(
  'StoreSignal',
  signal.extend({ ...retractions, domain: domain(), storefront_id: idWith('sf') }),
);
export const signalPage = pageOf('SignalPage', storeSignal);

const exampleTime = '2026-01-15T12:00:00.000Z';

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

export const exampleHistorySignal = { ...exampleSignal, retracted_at: null, retracted_reason: null };

const exampleCursor = 'MTc2ODQ3ODQwMDAwMA.uQ3k5WQ2J0o8Zb1rT7xNfA';

const billing = {
  billing:
    'One history_query per page with at least one row; empty pages and 404 are free. An empty page, too, needs one that is left, else 402',
  units: ['history_query'],
} as const;
const retracted =
  'A signal that the next full scan refuted is left out; include=retracted shows it with retracted_at, and retracted_from and ' +
  'retracted_to select such signals.';
const shortPages =
  'A page examines at most 10,000 signals for the filters, so it can have fewer rows than limit, also none: follow next_cursor ' +
  'until it is null.';

export const signalOperations = [
  {
    id: 'getStoreHistory',
    method: 'GET',
    path: '/v1/stores/{domain}/history',
    tag: 'Signals',
    summary: 'Confirmed signals of one store, newest first',
    description:
      'Only confirmed changes: a removal is confirmed by two successive full observations without the technology, at least six hours apart. ' +
      `${retracted} The plan reaches plan.limits.history_days of effective_at back. ${shortPages}`,
    access: 'key',
    scope: 'read:signals',
    ...billing,
    served: true,
    params: storeParams,
    query: historyQuery,
    success: {
      status: 200,
      description: 'Signals within the window that the plan reaches.',
      schema: history,
      example: {
        domain: 'shop.example',
        observation: storeExample.observation,
        window: { from: '2025-10-17T12:00:00.000Z', to: exampleTime, truncated_by_plan: true },
        data: [exampleHistorySignal],
        next_cursor: null,
      },
      headers: ['Cache-Control'],
    },
    errors: ['not_found', 'payment_required'],
  },
  {
    id: 'searchSignals',
    method: 'GET',
    path: '/v1/signals',
    tag: 'Signals',
    summary: 'Confirmed signals across stores, newest confirmed_at first',
    description:
      `${retracted} Platform, country and industry are those of the store when the signal was confirmed. The plan reaches ` +
      `plan.limits.history_days of confirmed_at back. ${shortPages}`,
    access: 'key',
    scope: 'read:signals',
    ...billing,
    served: true,
    query: signalQuery,
    success: {
      status: 200,
      description: 'A page of signals. Those confirmed after the first page are not on later ones.',
      schema: signalPage,
      example: {
        data: [{ ...exampleHistorySignal, domain: 'shop.example', storefront_id: storeExample.storefront_id }],
        next_cursor: exampleCursor,
      },
      headers: ['Cache-Control'],
    },
    errors: ['payment_required'],
  },
] as const satisfies readonly Operation[];
