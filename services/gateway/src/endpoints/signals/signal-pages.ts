import { dayMs } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';

/** The window that a plan reaches, and the position of a page in it. */

/** A query whose pages are read within this time keeps the window of its first page. */
const windowKeptMs = dayMs;

export interface HistoryWindow {
  /** Both ends are inclusive. */
  fromMs: number;
  toMs: number;
  /** Whether the request reaches further back than the plan. */
  isTruncated: boolean;
}

/** The position where a page begins, and the time when the first page of its query was requested. */
export interface PagePosition {
  atMs: number;
  id: string;
  firstAskedMs: number;
  /** Ascending only: the position is among the signals that were recorded until this time. */
  recordedUntilMs?: number | undefined;
}

export interface RequestedSpan {
  fromMs: number | undefined;
  toMs: number | undefined;
}

/**
 * Returns the window of a query. A request without `from` asks for everything.
 *
 * - The window never ends before it begins. An empty window, before the reach of the plan or in the future, ends where it begins.
 * - The window does not move between the pages of a query, so it loses no row of the first page. After {@link windowKeptMs},
 *   the oldest rows leave it: an old cursor reaches no further back than the plan.
 */
export function windowOf(
  { fromMs, toMs }: RequestedSpan,
  historyDays: number,
  { firstAskedMs, nowMs }: { firstAskedMs: number; nowMs: number },
): HistoryWindow {
  const reachMs = Math.max(firstAskedMs, nowMs - windowKeptMs) - historyDays * dayMs;
  const isTruncated = fromMs === undefined || fromMs < reachMs;
  const windowFromMs = isTruncated ? reachMs : fromMs;
  return { fromMs: windowFromMs, toMs: Math.max(windowFromMs, toMs ?? firstAskedMs), isTruncated };
}

/**
 * Returns the whole milliseconds of a span. Throws invalid_request if the span ends before it begins.
 *
 * - The beginning has a fraction of a millisecond -> the span begins with the next one, so it contains no earlier signal.
 */
export function spanOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  prefix: '' | 'confirmed_' | 'retracted_' = '',
): RequestedSpan {
  const toMs = to === undefined ? undefined : Date.parse(to);
  if (from === undefined) return { fromMs: undefined, toMs };
  const fromMs = Date.parse(from);
  if (toMs !== undefined && fromMs > toMs) throw invalidField(`${prefix}from`, `must not be later than ${prefix}to`);
  return { fromMs: hasSmallerFraction.test(from) ? Math.min(fromMs + 1, lastMs) : fromMs, toMs };
}

/** The latest instant whose year has four digits. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const hasSmallerFraction = /\.\d{3}\d*[1-9]/;

export const encodePosition = ({ atMs, id, firstAskedMs, recordedUntilMs }: PagePosition): string =>
  `${atMs}.${id}.${firstAskedMs}.${recordedUntilMs ?? ''}`;

/** `text` comes from a cursor whose signature was verified. */
export function decodePosition(text: string): PagePosition {
  const [atMs, id = '', firstAskedMs, recordedUntilMs = ''] = text.split('.');
  return {
    atMs: Number(atMs),
    id,
    firstAskedMs: Number(firstAskedMs),
    recordedUntilMs: recordedUntilMs === '' ? undefined : Number(recordedUntilMs),
  };
}
