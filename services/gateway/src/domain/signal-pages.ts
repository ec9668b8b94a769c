import { invalidField } from '@shopscope/errors';

/** The window that a plan reaches, and the position of a page in it. */

const dayMs = 24 * 60 * 60 * 1000;
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
  return { fromMs: isTruncated ? reachMs : fromMs, toMs: toMs ?? firstAskedMs, isTruncated };
}

/** Throws invalid_request when the span ends before it begins. */
export function requireSpan({ fromMs, toMs }: RequestedSpan, names: { from: string; to: string }): void {
  if (fromMs === undefined || toMs === undefined || fromMs <= toMs) return;
  throw invalidField(names.from, `must not be later than ${names.to}`);
}

export const encodePosition = ({ atMs, id, firstAskedMs }: PagePosition): string => `${atMs}.${id}.${firstAskedMs}`;

/** `text` is from a cursor whose signature was verified. */
export function decodePosition(text: string): PagePosition {
  const [atMs, id = '', firstAskedMs] = text.split('.');
  return { atMs: Number(atMs), id, firstAskedMs: Number(firstAskedMs) };
}
