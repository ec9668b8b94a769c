import { canonicalizeDomain } from '@shopscope/domain-name';
import { parseText } from '@shopscope/text';
import type { ImportFile, ImportRow, Mapping } from './import-file.ts';

/** A store as the API takes it. A store without `external_id` keeps the id that it has in the list. */
export interface ImportedStore {
  domain: string;
  external_id?: string;
}

/** Lines of a kind: their number, and the first of them. */
export interface Lines {
  count: number;
  lines: { line: number; text: string }[];
}

/** What an import adds, and the lines that it leaves out. */
export interface ImportPlan {
  /** One for each domain, in the order of their first lines. */
  stores: ImportedStore[];
  /** Lines without a domain. */
  bad: Lines;
  /** Lines with an external id that the API does not take. */
  badIds: Lines;
  /** Lines that repeat the domain of an earlier line. The earlier line counts. */
  duplicates: Lines;
}

export const maxReported = 100;
const maxShownText = 60;
const maxIdLength = 200;

export type RowReading =
  | { kind: 'store'; store: ImportedStore }
  | { kind: 'bad' | 'bad_id'; text: string }
  | { kind: 'empty' };

/** Reads one row. A cell of a loose list is read up to its first separator, because no domain has one. */
export function readRow({ cells }: ImportRow, { domain, externalId }: Mapping): RowReading {
  const cell = (cells[domain] ?? '').trim();
  if (cell === '') return { kind: 'empty' };
  const canonical = canonicalizeDomain((cell.split(/[,;\t]/, 1)[0] as string).trim());
  if (!canonical.ok) return { kind: 'bad', text: cell.slice(0, maxShownText) };
  const id = externalId === null ? '' : (cells[externalId] ?? '').trim();
  const store = { domain: canonical.value.domain };
  if (id === '') return { kind: 'store', store };
  try {
    const external_id = parseText('id', id, { noun: 'id', maxLength: maxIdLength, mayHaveAddresses: true });
    return { kind: 'store', store: { ...store, external_id } };
  } catch {
    return { kind: 'bad_id', text: id.slice(0, maxShownText) };
  }
}

export function planOf(file: ImportFile, mapping: Mapping): ImportPlan {
  const seen = new Set<string>();
  const none = (): Lines => ({ count: 0, lines: [] });
  const plan: ImportPlan = { stores: [], bad: none(), badIds: none(), duplicates: none() };
  const report = (lines: Lines, line: number, text: string) => {
    lines.count++;
    if (lines.lines.length < maxReported) lines.lines.push({ line, text });
  };
  for (const row of file.rows) {
    const read = readRow(row, mapping);
    if (read.kind === 'bad') report(plan.bad, row.line, read.text);
    else if (read.kind === 'bad_id') report(plan.badIds, row.line, read.text);
    else if (read.kind === 'store' && seen.has(read.store.domain)) report(plan.duplicates, row.line, read.store.domain);
    else if (read.kind === 'store') {
      seen.add(read.store.domain);
      plan.stores.push(read.store);
    }
  }
  return plan;
}
