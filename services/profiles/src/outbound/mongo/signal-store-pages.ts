import type { Collection, Document } from 'mongodb';
import type { SignalPosition, Span } from '../../domain/signal-query.ts';
import { type PageQuery, readPage } from './signal-pages.ts';

/** MongoDB merges at most 200 ranges in order. There is one for each store and state. */
const maxRanges = 200;
/** The maximum number of entries of one group that a page checks for the filters. */
const maxExaminedPerGroup = 5_000;

/**
 * Returns one page of the signals of given stores, in the order of the index.
 *
 * - MongoDB merges the ranges of a group of stores. The pages of the groups are merged here, so the page has at most `limit` rows in memory
 *   beside those of one group.
 * - A group that reads only a part of its entries ends the page of all groups at the end of that part.
 * - Each group is read only up to the end that the earlier ones have left, so later groups read little.
 */
export async function readPageOfStores<Stored extends Document & { _id: string }>(
  collection: Collection<Stored>,
  query: PageQuery,
  domains: readonly string[],
): Promise<{ rows: Stored[]; next: SignalPosition | undefined }> {
  const { order, direction, limit } = query;
  const states = typeof query.equal.state === 'string' ? 1 : 2;
  const groupSize = maxRanges / states;
  /** Negative: the first place comes first. */
  const compare = (a: SignalPosition, b: SignalPosition) =>
    direction * (a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id)));
  const placeOf = (row: Stored): SignalPosition => ({ at: row[order], id: row._id });
  let rows: Stored[] = [];
  let end: SignalPosition | undefined;
  for (let from = 0; from < domains.length; from += groupSize) {
    const found = await readPage(collection, {
      ...query,
      equal: { ...query.equal, domain: { $in: domains.slice(from, from + groupSize) } },
      span: end ? until(query.span, end.at, direction) : query.span,
      parts: [maxExaminedPerGroup],
    });
    if (found.next && (!end || compare(found.next, end) < 0)) end = found.next;
    rows = [...rows, ...found.rows].sort((a, b) => compare(placeOf(a), placeOf(b)));
    const last = rows[limit - 1];
    if (last && rows.length > limit && (!end || compare(placeOf(last), end) < 0)) end = placeOf(last);
    rows = rows.slice(0, limit).filter((row) => !end || compare(placeOf(row), end) <= 0);
  }
  return { rows, next: end };
}

const until = (span: Span, at: Date, direction: 1 | -1): Span =>
  direction === 1 ? { ...span, to: at } : { ...span, from: at };
