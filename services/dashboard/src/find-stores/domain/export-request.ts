import { asksForChanges, type StoreFilter } from './store-filter.ts';
import { whereOf } from './where-of.ts';

/** The API exports at most as many rows. */
export const maxExportRows = 100_000;
/** An export of changes bills a history query for as many rows. */
const rowsPerHistoryQuery = 1_000;

/** The files that a person can choose: the format, and of CSV the columns. */
export const exportFiles = {
  csv: { format: 'csv', columns: 'default' },
  hubspot: { format: 'csv', columns: 'hubspot' },
  salesforce: { format: 'csv', columns: 'salesforce' },
  ndjson: { format: 'ndjson' },
} as const;
export type ExportFile = keyof typeof exportFiles;

/** What an export of this many rows bills at most. */
export const exportUnits = (filter: StoreFilter, rows: number) => ({
  lookup_cached: rows,
  history_query: asksForChanges(filter) ? Math.ceil(rows / rowsPerHistoryQuery) : 0,
});

/** The request for a file with all stores of a query, which may bill as much as {@link exportUnits} has shown for this many rows. */
export const exportRequestOf = (filter: StoreFilter, { file, rows }: { file: ExportFile; rows: number }) => ({
  where: whereOf(filter),
  sort: filter.sort ?? 'domain',
  ...exportFiles[file],
  max_rows: rows,
  max_units: exportUnits(filter, rows),
});
