import { type components, type StoreRow, whereOf } from '@shopscope/client';
import type { Call, Command } from '../command.ts';
import { confirmUnits, defaultMaxUnits, maxUnitsOf } from '../enrich/confirm.ts';
import { writeParts } from '../enrich/job-results.ts';
import { formatOf } from '../enrich/output.ts';
import { requireAbsent } from '../enrich/sink.ts';
import { exitCodes } from '../exit-codes.ts';
import { countText } from '../find/count-text.ts';
import { queryOf, queryOptions, wholeNumber } from '../find/query.ts';
import { limitOf, take } from '../signal-rows.ts';
import { table } from '../table.ts';
import { write } from '../terminal.ts';
import { waitWithProgress } from '../wait-with-progress.ts';

type CompactStore = components['schemas']['CompactStore'];

export default {
  summary: 'Which stores match. Each row costs one lookup_cached; --count is free.',
  usage: '[--platform SLUG] [--country CC] [--technology-any SLUG] [--category-none SLUG] [--count] [--facets LIST]',
  options: {
    ...queryOptions,
    '--count': 'how many stores match, and what their rows would bill',
    '--facets <FIELDS>': 'how they divide, at most 8: platform, country, industry, status, technology, category, …',
    '--export': 'write all matching stores as CSV or JSON lines; a job reads them',
    '-o, --output <FILE>': 'with --export: JSON lines when it ends with .jsonl, else CSV; standard output otherwise',
    '--columns <COLUMNS>': 'with --export: default, hubspot, salesforce, or paths of a row',
    '--max-rows <N>': 'with --export: refused when more stores match (default 100000)',
    '--sort <SORT>': 'domain (default), -last_completed_scan_at, -product_count or -last_changed_at',
    '--limit <N>': 'rows (default 50)',
    '--max-units <N>': `ask before more units may be spent, and refuse larger exports (default ${defaultMaxUnits})`,
    '--yes': 'answer questions with yes',
  },
  examples: [
    'find --platform shopify --country DE --technology-any klaviyo --category-none reviews --count --facets industry',
    'find --country DE --dropped-any yotpo --export --columns hubspot -o stores.csv',
    'find --technology-any klaviyo --sort -last_changed_at --limit 10',
  ],
  notes:
    'The options are ANDed. With --dropped-any or --moved-…, a count and each page with rows cost one history_query more.\n' +
    '--json has the whole profiles.',
  async run(call) {
    if (call.options.count || call.options.facets) await count(call);
    else if (call.options.export) return exportFile(call);
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

async function exportFile(call: Call): Promise<number> {
  const { terminal, options, json } = call;
  const { output, columns, sort } = options;
  const format = formatOf(output, json) === 'jsonl' ? 'ndjson' : 'csv';
  const maxUnits = maxUnitsOf(options.maxUnits);
  const where = whereOf(queryOf(options));
  await requireAbsent(output);
  const client = await call.client();
  const request = {
    where,
    sort: sort as never,
    format,
    columns: columns === undefined || isPreset(columns) ? columns : (columns.split(',') as never),
    max_rows: options.maxRows === undefined ? undefined : wholeNumber('--max-rows', options.maxRows),
    max_units: { lookup_cached: maxUnits, history_query: maxUnits },
  } as const;
  const { id } = await client.exportStores(request, { signal: terminal.interrupted });
  const { state, error } = await waitWithProgress(call, client, id);
  const { rows, code } = await writeParts(call, client, id);
  if (state === 'succeeded') return code;
  const why = error ? `: ${error.message}` : '';
  await write(terminal.stderr, `The export ${id} is ${state} after ${rows} rows${why}\n`);
  return exitCodes.temporary;
}

const presets = ['default', 'hubspot', 'salesforce'] as const;
const isPreset = (columns: string): columns is (typeof presets)[number] =>
  (presets as readonly string[]).includes(columns);

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
