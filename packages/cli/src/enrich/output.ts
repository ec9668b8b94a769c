import type { EnrichedDomain } from '@shopscope/client';
import type { ListRow } from '@shopscope/lists';
import { stringify } from 'csv-stringify/sync';
import { withoutFormulas } from './formulas.ts';

export type Format = 'csv' | 'jsonl';

export const formatOf = (output: string | undefined, json: boolean): Format =>
  (output ?? '').endsWith('.jsonl') || (output === undefined && json) ? 'jsonl' : 'csv';

/** A result of a domain of a file, or of a store of a list. */
export type EnrichedRow = Pick<EnrichedDomain, 'match' | 'store' | 'scan_job_id'> & {
  reason: string | null;
  job?: EnrichedDomain['job'];
};

const columns: Readonly<Record<string, (result: EnrichedRow) => string | number | null | undefined>> = {
  match: ({ match }) => match,
  reason: ({ reason }) => reason,
  domain: ({ store }) => store?.domain,
  name: ({ store }) => store?.name,
  platform: ({ store }) => store?.platform.slug,
  status: ({ store }) => store?.status.state,
  country: ({ store }) => store?.geography.country,
  industry: ({ store }) => store?.industry.slug,
  products: ({ store }) => (store && store.catalog.coverage !== 'none' ? store.catalog.product_count : null),
  currency: ({ store }) => (store && store.catalog.coverage !== 'none' ? store.catalog.currency : null),
  median_price: ({ store }) => (store && store.catalog.coverage !== 'none' ? store.catalog.price_range.median : null),
  technologies: ({ store }) => store?.technologies.map(({ slug }) => slug).join(' '),
  last_completed_scan_at: ({ store }) => store?.observation.last_completed_scan_at,
  scope: ({ store }) => store?.observation.scope,
  profile_url: ({ store }) => store?.profile_url,
  scan_job_id: (result) => result.scan_job_id,
  scan_state: ({ job }) => job?.state,
  scan_error: ({ job }) => job?.error?.code,
};
const prefix = 'shopscope_';

const csv = (row: readonly unknown[]) => stringify([[...row]], { cast: { string: withoutFormulas } });

export function headerLine(header: readonly string[] | undefined): string {
  return csv([...(header ?? ['input']), ...Object.keys(columns).map((name) => prefix + name)]);
}

/** Returns the names of members. A second column with the same name gets a number, because one member would hide the other. */
function distinct(names: readonly string[]): string[] {
  const used = new Set<string>(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let number = 2;
    while (used.has(`${name} (${number})`)) number += 1;
    const other = `${name} (${number})`;
    used.add(other);
    return other;
  });
}

export function lineOf(
  format: Format,
  row: Pick<ListRow, 'input' | 'cells'>,
  result: EnrichedRow,
  header: readonly string[] | undefined,
): string {
  if (format === 'jsonl') {
    const cells =
      row.cells && Object.fromEntries(distinct(header ?? []).map((name, at) => [name, row.cells?.[at] ?? '']));
    return `${JSON.stringify({ ...(cells && { row: cells }), ...result })}\n`;
  }
  const cells = row.cells ? (header ?? []).map((_, at) => row.cells?.[at] ?? '') : [row.input];
  return csv([...cells, ...Object.values(columns).map((cellOf) => cellOf(result) ?? '')]);
}
