import { fromMongo } from '@shopscope/mongo';
import type { Collection, Document, Filter, Hint } from 'mongodb';
import type { SignalPosition, Span } from '../../domain/signal-query.ts';

/** Reads pages of signals as ranges of an ordered index, in bounded time. */

export interface PageBounds {
  after: SignalPosition | undefined;
  limit: number;
  /** Returns the remaining time for reads on the server. */
  timeoutMs(): number;
}

export type TimeField = 'effectiveAt' | 'confirmedAt' | 'recordedAt';

export interface PageQuery extends PageBounds {
  hint: Hint;
  /** The time that orders the signals, then the id in the same direction. */
  order: TimeField;
  direction: 1 | -1;
  span: Span;
  /** The conditions on the first members of the index. */
  equal: Condition;
  filters: Condition;
  /** Default: {@link partSizes}. */
  parts?: readonly number[];
  /** The members of the rows. Default: all. */
  projection?: Record<string, 1>;
}

export type Condition = Filter<Document>;
type Row = Document & { _id: string };

/**
 * The numbers of entries of the parts of a page. Filters with many matches fill the page in the first part. A part has
 * at most this many entries with the time of its start, and as many with further times.
 */
const partSizes = [500, 1_500, 3_000] as const;

/** One page checks at most this many index entries for the filters. It therefore reads at most this many documents. */
export const maxExaminedPerPage = 10_000;

interface RangeStart {
  isEmpty: boolean;
  last: SignalPosition | undefined;
}

/**
 * Returns one page in the order of the index.
 *
 * - The ranges of entries are exact, and they are read one after another. A single query with `$or` would merge them entry by entry,
 *   which is ten times as slow.
 * - Cost: at most {@link maxExaminedPerPage} entries are checked for the filters, and as many are counted to find the last of them.
 *   Many signals of the same time, for example of an import, do not increase this cost.
 * - `equal` may have lists. MongoDB then reads one range per combination of their values and merges these in order, so that the
 *   number of examined entries grows by one per combination only. It does this for up to 200 combinations (decision 70).
 * - The first entries of all ranges are read at the same time, because there are mostly none of the same time as the position.
 * - Few entries match -> the page ends at the last entry that was checked.
 */
export async function readPage<Stored extends Row>(
  collection: Collection<Stored>,
  query: PageQuery,
): Promise<{ rows: Stored[]; next: SignalPosition | undefined }> {
  const { hint, order, direction, equal, filters, limit, timeoutMs, parts = partSizes, projection = {} } = query;
  const isOfOneTime = (range: Condition) => range._id !== undefined;
  const find = (range: Condition, checked: Condition = {}) =>
    collection
      .find({ ...equal, ...range, ...checked } as Filter<Stored>, {
        hint,
        maxTimeMS: Math.max(1, Math.floor(timeoutMs())),
      })
      // With several values in `equal`, MongoDB merges their entries in order only if the sort does not contain a time that is fixed.
      .sort(isOfOneTime(range) ? { _id: direction } : { [order]: direction, _id: direction });
  const keys = (range: Condition) => find(range).project<Row>({ _id: 1, [order]: 1 });
  /** Finds the last of the first `size` entries. `last` is undefined if there are fewer. */
  const firstOf = async (range: Condition, size: number): Promise<RangeStart> => {
    // Entries of the same time as the position are rare. If there are none, there is nothing to check.
    const found = isOfOneTime(range)
      ? await keys(range).limit(size).batchSize(size).toArray()
      : await keys(range)
          .skip(size - 1)
          .limit(1)
          .toArray();
    const last = isOfOneTime(range) ? found[size - 1] : found[0];
    return { isEmpty: isOfOneTime(range) && found.length === 0, last: last && positionOf(last, order) };
  };
  const page: Stored[] = [];
  /** Adds the matching signals to the page. Returns true if more signals match than the page can hold. */
  const addFrom = async (range: Condition): Promise<boolean> => {
    const room = limit - page.length;
    const rows = (await find(range, filters)
      .project(projection)
      .limit(room + 1)
      .batchSize(room + 1)
      .toArray()) as Stored[];
    page.push(...rows.slice(0, room));
    return rows.length > room;
  };

  // Without filters, a page examines only the entries that it returns.
  const sizes = Object.keys(filters).length === 0 ? [undefined] : parts;
  let position = query.after;
  try {
    for (const size of sizes) {
      let last: SignalPosition | undefined;
      const ranges = rangesAfter(position, query);
      const starts = size === undefined ? [] : await Promise.all(ranges.map((range) => firstOf(range, size)));
      for (const [at, range] of ranges.entries()) {
        if (starts[at]?.isEmpty) continue;
        last = starts[at]?.last;
        for (const part of last ? upTo(range, query, last) : [range]) {
          const end = (await addFrom(part)) ? page.at(-1) : undefined;
          if (end) return { rows: page, next: positionOf(end, order) };
        }
        if (last) break;
      }
      if (!last) return { rows: page, next: undefined };
      position = last;
    }
  } catch (error) {
    throw fromMongo(error);
  }
  return { rows: page, next: position };
}

const positionOf = (row: Row, order: TimeField): SignalPosition => ({ at: row[order] as Date, id: row._id });

/**
 * Returns the ranges after a position: first the entries of the same time with a further id, then those of further times. Returns no range
 * of a span that has ended before the position. The span may change between pages, for example with the plan's history.
 */
function rangesAfter(after: SignalPosition | undefined, { order, direction, span }: PageQuery): Condition[] {
  const whole = span.from || span.to ? { [order]: within(span) } : {};
  if (!after) return [whole];
  const [further, end] = direction === 1 ? (['$gt', span.to] as const) : (['$lt', span.from] as const);
  const isOutside = (time: Date | undefined, than: number) =>
    time !== undefined && Math.sign(after.at.getTime() - time.getTime()) === than;
  if (isOutside(end, direction)) return [];
  if (direction === 1 && isOutside(span.from, -1)) return [whole];
  const remaining = direction === 1 ? { ...(end && { $lte: end }) } : { ...(end && { $gte: end }) };
  return [
    { [order]: { $eq: after.at }, _id: { [further]: after.id } } as Condition,
    { [order]: { ...remaining, [further]: after.at } } as Condition,
  ];
}

/** Returns the part of a range up to `last`, as one or two ranges. */
function upTo(range: Condition, { order, direction }: PageQuery, last: SignalPosition): Condition[] {
  const { $eq, $gte, $gt, $lte, $lt } = (range[order] ?? {}) as Record<string, Date | undefined>;
  const start =
    direction === 1 ? { ...($gte && { $gte }), ...($gt && { $gt }) } : { ...($lte && { $lte }), ...($lt && { $lt }) };
  const [before, until] = direction === 1 ? ['$lt', '$lte'] : ['$gt', '$gte'];
  const ofLastTime = { [order]: { $eq: last.at }, _id: { ...(range._id as object), [until as string]: last.id } };
  return $eq ? [ofLastTime] : [{ [order]: { ...start, [before as string]: last.at } }, ofLastTime];
}

export const within = ({ from, to }: Span) => ({ ...(from && { $gte: from }), ...(to && { $lte: to }) });
