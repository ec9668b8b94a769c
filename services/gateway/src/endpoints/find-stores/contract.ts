import { installStates, storeStates } from '@shopscope/proto';
import { countBody, flatForm, flatIntegers, flatLists, searchBody, where } from '@shopscope/store-search';
import { z } from 'zod';
import { installStateMeanings, storeStateMeanings } from '../../contract/meanings.ts';
import {
  count,
  domain,
  idWith,
  named,
  nextCursor,
  openEnum,
  queryDocumentation,
  slug,
  timestamp,
} from '../../contract/schemas.ts';
import { store } from '../get-store/contract.ts';

// The language of requests is in libs/store-search. The names of components are here.
named('StoreWhere', where, 'Which stores: the members are ANDed. An empty one matches every active store.');
export const storeSearchRequest = named('StoreSearchRequest', searchBody);
export const storeCountRequest = named('StoreCountRequest', countBody);
export const storeListQuery = flatForm;
documentFlatForm();

export const searchUnits = ['lookup_cached', 'history_query'] as const;

const searchBilled = named(
  'SearchBilled',
  z.object({
    lookup_cached: count().describe('Rows of this page'),
    history_query: count().describe('1 with dropped or moved'),
  }),
  'Units that this call billed.',
);

const edition = named(
  'Edition',
  z.object({ id: idWith('edn'), built_at: timestamp().describe('What it is the state of. ISO 8601, UTC') }),
  'A frozen view of all stores, which all callers share. Pages of one cursor are of one edition, which lasts up to 24 hours.',
);

/** Members of every answer. */
const answer = {
  request_id: z.string().describe('Prefix req_, or the X-Request-Id that was sent'),
  billed: searchBilled,
  edition,
  where: z
    .record(z.string(), z.unknown())
    .describe(
      'The query as applied: with its defaults, present slugs and whole UTC days. Sent again, it is the same query',
    ),
  window: z
    .object({
      from: timestamp().describe('The first day. ISO 8601, UTC'),
      truncated_by_plan: z.boolean().describe('The plan does not reach as far back as the request'),
    })
    .optional()
    .describe('The days that dropped and moved cover; absent without them'),
};

const matchedTechnology = named(
  'MatchedTechnology',
  z.object({
    technology: slug().describe('Technology slug'),
    install_state: openEnum(installStates, { meanings: installStateMeanings }),
    since: openEnum(['observed', 'at_first_scan'], {
      meanings: {
        observed: 'an earlier scan did not see it',
        at_first_scan: 'the first scan of the store saw it, so it may be older',
      },
    }),
    first_observed_at: timestamp().describe('The scan that saw it first since it was absent. ISO 8601, UTC'),
    last_confirmed_at: timestamp().describe('The latest scan that saw it. ISO 8601, UTC'),
  }),
  'A technology that fits a clause of the query.',
);

const droppedTechnology = named(
  'DroppedTechnology',
  z.object({
    technology: slug().describe('Technology slug'),
    signal_id: idWith('evt'),
    effective_at: timestamp().describe('The scan that missed it first. ISO 8601, UTC'),
    confirmed_at: timestamp().describe('The scan that confirmed it. ISO 8601, UTC'),
  }),
  'A removal that fits a clause of the query.',
);

const compactStore = named(
  'CompactStore',
  z.object({
    name: z.string().describe('Name of the store, in its own words'),
    platform: slug().describe('Platform slug'),
    country: z.string().length(2).describe('ISO 3166-1 alpha-2; ZZ when unknown'),
    industry: slug().describe('Industry slug'),
    status: openEnum(storeStates, { meanings: storeStateMeanings }),
    last_completed_scan_at: timestamp().describe('The end of the scan that the profile is of. ISO 8601, UTC'),
  }),
  'A row of a list.',
);

const storeRow = named(
  'StoreRow',
  z.object({
    domain: domain(),
    storefront_id: idWith('sf'),
    matched: z.array(matchedTechnology).describe('For each clause with all or any, the technologies that fit it'),
    dropped: z.array(droppedTechnology).describe('The removals that fit a clause of dropped, newest first'),
    changed_since_edition: z.boolean().describe('The store does not match the query any more'),
    store: z.union([store, compactStore]).describe('The store as it is now; with view compact, a CompactStore'),
  }),
);

export const storePage = named(
  'StorePage',
  z.object({
    ...answer,
    data: z
      .array(storeRow)
      .describe('The rows of this page. It may have fewer than limit, also none, before the last one'),
    next_cursor: nextCursor(),
  }),
);

const amount = named(
  'StoreAmount',
  z.object({
    value: count(),
    relation: openEnum(['eq', 'lt', 'approx'], {
      meanings: {
        eq: 'exactly value',
        lt: 'less than value: small numbers are hidden',
        approx: 'value is rounded to tens, because the query names a list',
      },
    }),
  }),
  'A number of stores.',
);

const units = (description: string) =>
  z.object({ lookup_cached: count().optional(), history_query: count().optional() }).describe(description);

export const storeCount = named(
  'StoreCount',
  z.object({
    ...answer,
    total: amount.describe('The stores that match'),
    not_judged: z
      .object({
        scope_partial: amount
          .optional()
          .describe('Stores that fit all but a clause with none, which their partial scans do not prove'),
      })
      .describe('Stores that are left out. Empty when the total is hidden'),
    quote: units('What all rows would bill, in pages of 50. Empty when the total is hidden'),
    left: units('What is left of the period. Empty while it is not known'),
    facets: z
      .array(
        z.object({
          field: z.string().describe('As in the request'),
          values: z
            .array(z.object({ value: z.string(), stores: count() }))
            .describe('Those with most stores first, months latest first. Values with few stores are left out'),
          other: count()
            .nullable()
            .describe('Stores with another value; null when it is hidden, or a store can have several values'),
          unknown: count().nullable().describe('Stores whose value is not known; null when it is hidden'),
        }),
      )
      .describe('In the order of the request, within the whole where. Empty when the total is hidden'),
    sample: z
      .array(z.object({ domain: z.string().describe('Masked: its first letters and its suffix') }))
      .max(3)
      .describe('Some of the stores. None with a list'),
  }),
);

/** The types of the parameters of the flat form, which are parsed from text. */
function documentFlatForm(): void {
  for (const [name, { item, maxItems, description }] of Object.entries(flatLists)) {
    const { $schema: _, ...items } = z.toJSONSchema(item, { target: 'draft-2020-12' });
    queryDocumentation.add(flatForm.shape[name as keyof typeof flatLists] as z.ZodType, {
      description: `${description}. One value or several, separated by commas`,
      type: 'array',
      items,
      minItems: 1,
      maxItems,
    });
  }
  for (const [name, { min: minimum, max: maximum, ...more }] of Object.entries(flatIntegers)) {
    const documentation = { type: 'integer' as const, minimum, maximum, ...more };
    queryDocumentation.add(flatForm.shape[name as keyof typeof flatIntegers] as z.ZodType, documentation);
  }
}
