import { type components, type StoreRow, whereOf } from '@shopscope/client';
import type { Call, Command } from '../command.ts';
import { confirmUnits, defaultMaxUnits, maxUnitsOf } from '../enrich/confirm.ts';
import { countText } from '../find/count-text.ts';
import { queryOf, queryOptions } from '../find/query.ts';
import { limitOf, take } from '../signal-rows.ts';
import { table } from '../table.ts';

type CompactStore = components['schemas']['CompactStore'];

export default {
  summary: 'Which stores match. Each row costs one lookup_cached; --count is free.',
  usage: '[--platform SLUG] [--country CC] [--technology-any SLUG] [--category-none SLUG] [--count] [--facets LIST]',
  options: {
    ...queryOptions,
    '--count': 'how many stores match, and what their rows would bill',
    '--facets <FIELDS>': 'how they divide, at most 8: platform, country, industry, status, technology, category, …',
    '--sort <SORT>': 'domain (default), -last_completed_scan_at, -product_count or -last_changed_at',
    '--limit <N>': 'rows (default 50)',
    '--max-units <N>': `ask before more units may be spent (default ${defaultMaxUnits})`,
    '--yes': 'answer questions with yes',
  },
  examples: [
    'find --platform shopify --country DE --technology-any klaviyo --category-none reviews --count --facets industry',
    'find --technology-any klaviyo --sort -last_changed_at --limit 10',
  ],
  notes:
    'The options are ANDed. With --dropped-any or --moved-…, a count and each page with rows cost one history_query more.\n' +
    '--json has the whole profiles.',
  async run(call) {
    if (call.options.count || call.options.facets) await count(call);
    else await find(call);
    return undefined;
  },
} satisfies Command;

async function count({ terminal, options, client, print, screen }: Call): Promise<void> {
  const facets = options.facets?.split(',');
  const where = whereOf(queryOf(options));
  const counted = await (await client()).count(where, { facets, signal: terminal.interrupted });
  await print(counted, () => countText(counted, screen));
}

async function find({ terminal, options, client, json, print, screen }: Call): Promise<void> {
  const where = whereOf(queryOf(options));
  const { rows, limit } = limitOf(options.limit);
  const maxUnits = maxUnitsOf(options.maxUnits);
  const readsHistory = where.dropped !== undefined || where.moved !== undefined;
  const mayBill = rows + (readsHistory ? Math.ceil(rows / limit) : 0);
  if (mayBill > maxUnits && !options.yes) await confirmUnits(terminal, mayBill);
  const found = (await client()).search(where, {
    sort: options.sort as never,
    view: json ? 'full' : 'compact',
    limit,
    maxUnits: { lookup_cached: rows },
    signal: terminal.interrupted,
  });
  const data = await take(found, rows);
  const headings = ['DOMAIN', 'NAME', 'PLATFORM', 'COUNTRY', 'INDUSTRY', 'OBSERVED', 'MATCHED', 'DROPPED'];
  await print({ data }, () => table(headings, data.map(rowOf), screen, 'No store matches.'));
}

function rowOf({ domain, matched, dropped, store }: StoreRow): string[] {
  const { name, platform, country, industry, last_completed_scan_at } = store as CompactStore;
  const technologies = matched.map(({ technology }) => technology);
  const removals = dropped.map(({ technology, effective_at }) => `${technology} ${effective_at.slice(0, 10)}`);
  const dates = last_completed_scan_at.slice(0, 10);
  return [domain, name, platform, country, industry, dates, technologies.join(' '), removals.join(', ')];
}
