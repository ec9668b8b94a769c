import { invalidField } from '@shopscope/errors';
import type { Units } from '@shopscope/proto';
import {
  type Amount,
  asksForChanges,
  type Day,
  type ExportColumns,
  type ExportFormat,
  mostRows,
  type StoreQuery,
  unitsOfWalk,
} from '@shopscope/store-search';

/** What an export writes. */
export interface Export {
  query: StoreQuery;
  /** The first day that `dropped` and `moved` reach back to. */
  windowFrom: Day;
  /** The edition of search that all rows come from. */
  editionId: string;
  format: ExportFormat;
  columns: ExportColumns;
  maxRows: number;
  maxUnits: MaxUnits;
}

/** The most units of each kind. Null: no bound. */
export interface MaxUnits {
  lookupCached: number | null;
  historyQuery: number | null;
}

/** Where a step of an export begins. */
export interface ExportPosition {
  /** The position of search. Empty for the first step. */
  after: string;
  /** The rows of the steps before. */
  rowsBefore: number;
}

/** The rows of a step, in the collection of parts. */
export interface ExportPart {
  /** Of the execution that wrote it. */
  token: string;
  rows: number;
  /** Of the uncompressed part. */
  bytes: number;
  sha256: string;
  /** The position after the last row. Empty if there is no further row. */
  next: string;
}

/** The id of the operation that starts an export, for the ledger. */
export const exportOperation = 'exportStores';
/** A step has at most this many rows. */
export const maxRowsPerStep = 1_000;
/** A step ends when its rows have as many bytes. */
export const maxBytesPerStep = 16 * 1024 * 1024;
/** Above this number of rows, the caller has to name a bound of units. */
const maxRowsWithoutBound = 1_000;
/** The exports of a workspace that are kept, with their parts. */
export const maxKeptExports = 500;

/**
 * Throws if an export with this shown total would exceed a bound of its request. Returns the units that it may bill. Every decision before the
 * first charge uses the shown total, so that none tells more than a count.
 */
export function requireExportSize({ query, maxRows, maxUnits }: ExportBounds, total: Amount): Units {
  const rows = mostRows(total);
  if (rows > maxRows) {
    throw invalidField('max_rows', `must be at least the number of stores that match: ${textOf(total)}`);
  }
  if (rows > maxRowsWithoutBound && maxUnits.lookupCached === null) {
    const bound = maxRowsWithoutBound.toLocaleString('en-US');
    throw invalidField(
      'max_units',
      `is required with lookup_cached for more than ${bound} stores; ${textOf(total)} match`,
    );
  }
  const quote = unitsOfWalk(query, rows, maxRowsPerStep);
  if (!fits(quote, maxUnits)) {
    const history = quote.historyQuery > 0 ? ` and ${quote.historyQuery} history_query` : '';
    throw invalidField('max_units', `the export would bill up to ${quote.lookupCached} lookup_cached${history}`);
  }
  return quote;
}

export type ExportBounds = Pick<Export, 'query' | 'maxRows' | 'maxUnits'>;

const fits = (quote: Units, { lookupCached, historyQuery }: MaxUnits): boolean =>
  (lookupCached === null || quote.lookupCached <= lookupCached) &&
  (historyQuery === null || quote.historyQuery <= historyQuery);

function textOf({ value, relation }: Amount): string {
  const number = value.toLocaleString('en-US');
  if (relation === 'lt') return `fewer than ${number}`;
  return relation === 'approx' ? `about ${number}` : number;
}

/**
 * Returns the units of a step. A query of changes bills one history_query for each thousand rows that begin, however they are divided into
 * steps, so that an export never bills more than its quote.
 */
export function unitsOfStep(query: StoreQuery, { rowsBefore }: ExportPosition, rows: number) {
  const thousands = (count: number) => Math.ceil(count / maxRowsPerStep);
  const historyQuery = asksForChanges(query) ? thousands(rowsBefore + rows) - thousands(rowsBefore) : 0;
  return { lookupCached: rows, lookupLive: 0, historyQuery };
}
