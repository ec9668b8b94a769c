import { confidences, retractionReasons, signalTypes } from '@shopscope/proto';
import { z } from 'zod';
import { retractionMeanings } from '../../contract/meanings.ts';
import {
  cursor,
  domain,
  idWith,
  named,
  nextCursor,
  openEnum,
  pageLimit,
  queryList,
  sentTimestamp,
  slug,
  timestamp,
} from '../../contract/schemas.ts';
import { observation, signal } from '../get-store/contract.ts';
import { technologyKinds } from '../technologies/contract.ts';

const includes = ['retracted'] as const;

const ofTechnology = 'of this technology; for platform_changed and status_changed the platform';

/** Confirmed signals and, if requested, retracted ones: the history of a store, and the search across stores. */
const filters = {
  from: sentTimestamp().optional().describe('Earliest effective_at, inclusive. ISO 8601, UTC'),
  to: sentTimestamp().optional().describe('Latest effective_at, inclusive. ISO 8601, UTC'),
  type: z.enum(signalTypes).optional().describe('Only signals of this type'),
  technology: slug().optional().describe(`Only signals ${ofTechnology}`),
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

const country = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters');

/** An unknown slug, country or type is 400. profiles knows them. */
export const signalQuery = z.strictObject({
  ...filters,
  type: queryList(z.enum(signalTypes), 'Only signals of these types'),
  technology: queryList(slug(), `Only signals ${ofTechnology}`),
  from_value: queryList(slug(), "The signal's `from`: a platform, an install_state or a status"),
  to_value: queryList(slug(), "The signal's `to`: a platform, an install_state or a status"),
  kind: z.enum(technologyKinds).optional().describe('Kind of the technology'),
  platform: queryList(slug(), 'Platform slug of the store when the signal was confirmed'),
  country: queryList(country, 'Country of the store when the signal was confirmed; ZZ: unknown'),
  industry: queryList(slug(), 'Industry slug of the store when the signal was confirmed'),
  confidence: z.enum(confidences).optional().describe('Only signals of this confidence'),
  confirmed_from: sentTimestamp()
    .optional()
    .describe('Earliest confirmed_at, inclusive; required with order=asc. ISO 8601, UTC'),
  confirmed_to: sentTimestamp().optional().describe('Latest confirmed_at, inclusive. ISO 8601, UTC'),
  list_id: idWith('lst')
    .optional()
    .describe(
      'Only signals of the stores of this list, as it is when the page is read; an unknown one is 404. Needs the scope read:watchlists too',
    ),
  order: z
    .enum(['desc', 'asc'])
    .optional()
    .describe(
      '`asc`: oldest confirmed_at first, for a reader who follows next_cursor. It needs confirmed_from, and not retracted_from or retracted_to',
    ),
  ...page,
});

export const retractedReason = (more = '') => openEnum(retractionReasons, { meanings: retractionMeanings, more });

/** Members of the rows of pages. The signals in a store's profile are never retracted, and do not have these members. */
const retractions = {
  retracted_at: timestamp()
    .nullable()
    .describe('The scan that refuted the signal after its confirmation; null: it is confirmed. ISO 8601, UTC'),
  retracted_reason: retractedReason('null: it is confirmed.').nullable(),
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
export const signalPage = named(
  'SignalPage',
  z.object({
    data: z.array(storeSignal).describe('The entries of this page'),
    next_cursor: z
      .string()
      .nullable()
      .describe('The cursor of the next page; null on the last one. With order=asc never null: it is the resume point'),
    has_more: z.boolean().describe('The next page may have rows already. With order=asc false: ask for it later'),
  }),
);

export const exampleTime = '2026-01-15T12:00:00.000Z';

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

export const exampleCursor = 'MTc2ODQ3ODQwMDAwMA.uQ3k5WQ2J0o8Zb1rT7xNfA';
