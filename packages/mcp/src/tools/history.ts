import type { operations } from '@shopscope/client';
import { z } from 'zod';
import { changeView, changeViewOf } from '../store-view.ts';
import { type DefinedTool, defineTool, withoutEmpty } from './tool.ts';

type HistoryQuery = NonNullable<operations['getStoreHistory']['parameters']['query']>;
type SignalQuery = NonNullable<operations['searchSignals']['parameters']['query']>;

/** A time as text. The API decides whether it is valid. */
const time = (what: string) => z.string().optional().describe(`${what}: ISO 8601 in UTC, such as 2026-01-15T12:00:00Z`);
const types = [
  'technology_added',
  'technology_removed',
  'install_state_changed',
  'platform_changed',
  'status_changed',
] as const;
const filters = {
  type: z.enum(types).optional(),
  technology: z.string().optional().describe('Slug, as list_technologies has it'),
  category: z.string().optional().describe('Slug of a category'),
  include: z.enum(['retracted']).optional().describe('Also changes that a later scan refuted'),
  retracted_from: time('Only changes that were retracted from this instant'),
  retracted_to: time('Only changes that were retracted up to this instant'),
  limit: z.int().min(1).max(50).default(20),
  cursor: z.string().optional().describe('next_cursor of the previous page'),
};
const page = { next_cursor: z.string().nullable().describe('null if there are no further pages') };

const listOf = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item).min(1).max(20).optional().describe(what);
const changed = 'a platform, an install state or a status';

export const historyTools: readonly DefinedTool[] = [
  defineTool('get_store_history', {
    title: 'History of a store',
    description:
      'Confirmed changes of one store, newest first: technologies added and removed, changes of install state, platform and status, with ' +
      'dates. A technology without an added change was there at the first observation: see first_observed_at of look_up_store. Bills 1 ' +
      'unit (history_query) for a page with at least one change.',
    input: {
      domain: z.string().min(3).max(253),
      from: time('Changes from this instant'),
      to: time('Changes up to this instant, inclusive'),
      ...filters,
    },
    output: {
      domain: z.string(),
      scope: z.string().nullable().describe('Scope of the latest scan; null without changes'),
      window: z.object({ from: z.string(), to: z.string(), truncated_by_plan: z.boolean() }),
      changes: z.array(changeView),
      ...page,
    },
    unitsAtMost: () => 1,
    async run({ domain, ...query }, { client, signal }) {
      const found = await client.getStoreHistory(domain, withoutEmpty(query) as HistoryQuery, { signal });
      const { window, observation, data, next_cursor } = found;
      const changes = data.map(changeViewOf);
      const result = { domain: found.domain, scope: observation?.scope ?? null, window, changes, next_cursor };
      return { result, spent: Math.min(1, changes.length) };
    },
  }),
  defineTool('search_signals', {
    title: 'Search changes of all stores',
    description:
      'Confirmed changes of all known stores, newest first, for example which stores added a technology this week, or left magento for ' +
      'shopify. A filter with a list finds changes with any of its values. Bills 1 unit ' +
      '(history_query) for a page with at least one change.',
    input: {
      confirmed_from: time('Confirmed from this instant'),
      confirmed_to: time('Confirmed up to this instant, inclusive'),
      order: z.enum(['desc', 'asc']).optional().describe('asc: oldest first; needs confirmed_from'),
      platform: listOf(z.string(), 'Slugs of platforms'),
      country: listOf(z.string().length(2), 'Two capital letters each'),
      industry: listOf(z.string(), 'Slugs of industries'),
      from_value: listOf(z.string(), `What the change was from: ${changed}`),
      to_value: listOf(z.string(), `What the change was to: ${changed}`),
      ...filters,
      type: listOf(z.enum(types), 'Types of the change'),
      technology: listOf(z.string(), 'Slugs, as list_technologies has them'),
    },
    output: { changes: z.array(changeView.extend({ domain: z.string() })), ...page },
    unitsAtMost: () => 1,
    async run(query, { client, signal }) {
      const { data, next_cursor } = await client.searchSignals(withoutEmpty(query) as SignalQuery, { signal });
      const changes = data.map((each) => ({ domain: each.domain, ...changeViewOf(each) }));
      return { result: { changes, next_cursor }, spent: Math.min(1, changes.length) };
    },
  }),
];
