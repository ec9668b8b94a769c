import { dayMs } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';

/** The window that a plan reaches, and the position of a page in it. */

/** A query whose pages are read within this time keeps the window of its first page. */
const windowKeptMs = dayMs;

export interface HistoryWindow {
  /** Both ends are inclusive. */
  fromMs: number;
  toMs: number;
  /** The plan does not reach as far back as the request. */
  isTruncated: boolean;
}

/** Where a page begins, and when the first page of its query was asked for. */
export interface PagePosition {
  atMs: number;
  id: string;
  firstAskedMs: number;
}

export interface RequestedSpan {
  fromMs: number | undefined;
  toMs: number | undefined;
}

/**
 * The window of a query. A request without `from` asks for everything.
 *
 * - It never ends before it begins: an empty window, before the reach or in the future, ends where it begins.
 * - The window does not move between the pages of a query, so it loses no row of the first page. After {@link windowKeptMs}
 *   the oldest rows leave it: an old cursor reaches no further than the plan.
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
 * The whole milliseconds of a span. Throws invalid_request when it ends before it begins.
 *
 * - Fractions of a millisecond -> the span begins with the next one. No signal before its beginning is in it.
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

/** The latest instant with a year of four digits. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const hasSmallerFraction = /\.\d{3}\d*[1-9]/;

export const encodePosition = ({ atMs, id, firstAskedMs }: PagePosition): string => `${atMs}.${id}.${firstAskedMs}`;

/** `text` is from a cursor whose signature was verified. */
export function decodePosition(text: string): PagePosition {
  const [atMs, id = '', firstAskedMs] = text.split('.');
  return { atMs: Number(atMs), id, firstAskedMs: Number(firstAskedMs) };
}
