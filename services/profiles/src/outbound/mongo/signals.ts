import { dayMs } from '@shopscope/clock';
import { fromMongo, type Tx } from '@shopscope/mongo';
import type { Collection, Db, Filter, Hint } from 'mongodb';
import { maxRetractableMs } from '../../domain/retraction.ts';
import type { Signal } from '../../domain/signal.ts';
import type { ConfirmedSignal, SignalFilters, SignalPage, SignalPosition, Span } from '../../domain/signal-query.ts';
import type { StoreValues } from '../../domain/store-profile.ts';

/** The values of the store are present once the signal is confirmed. */
interface SignalDocument extends Omit<Signal, 'id'>, Partial<StoreValues> {
  _id: string;
  /** The sequence of the observation that set the present state. */
  sequence: number;
  forgetAt: Date;
}

/** A signal, the sequence that set its state, and the values of the store at its confirmation. Undefined values change nothing. */
export interface SavedSignal {
  signal: Signal;
  sequence: number;
  values: StoreValues | undefined;
}

export interface PageBounds {
  after: SignalPosition | undefined;
  limit: number;
  /** Returns the remaining time for reads on the server. */
  timeoutMs(): number;
}

type Condition = Filter<SignalDocument>;
type TimeField = 'effectiveAt' | 'confirmedAt';
/**
 * Signals are kept this much longer than the retention, so that a caller who starts at the oldest row of a window can read to its
 * end. The retention of a confirmed signal starts at its confirmation, because searches are by that time.
 */
const slackDays = 2;

/** A search checks its filters on the keys of an index. It reads only the documents that it returns. */
const searched = [
  'type',
  'technology',
  'platform',
  'country',
  'industry',
  'confidence',
  'effectiveAt',
  'retractedAt',
] as const;
type Searched = (typeof searched)[number];

/** The state comes first in the key, so that a search of confirmed signals does not read retracted ones, and vice versa. */
const searchKey = (...first: Searched[]): Record<string, 1 | -1> => ({
  state: 1,
  ...Object.fromEntries(first.map((name) => [name, 1])),
  confirmedAt: -1,
  _id: -1,
  ...Object.fromEntries(searched.filter((name) => !first.includes(name)).map((name) => [name, 1])),
});

const epoch = new Date(0);
/** Indexes only confirmed and retracted signals. Candidates and discarded signals have no `confirmedAt`. */
const ofConfirmed = { partialFilterExpression: { confirmedAt: { $gt: epoch } } };

/** The order is descending effectiveAt, then descending id. */
const historyKey = { domain: 1, state: 1, effectiveAt: -1, _id: -1 } as const;

export const signalIndexes = [
  { key: historyKey, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
  { key: searchKey(), options: { ...ofConfirmed, name: 'state_search' } },
  { key: searchKey('technology'), options: { ...ofConfirmed, name: 'state_search_technology' } },
  { key: searchKey('industry'), options: { ...ofConfirmed, name: 'state_search_industry' } },
  { key: searchKey('country'), options: { ...ofConfirmed, name: 'state_search_country' } },
];

export type SignalStore = ReturnType<typeof createSignalStore>;

/**
 * Stores every signal in its latest state.
 *
 * Pages of signals are read from the primary, because a secondary that is behind could hide rows that come after an earlier page.
 */
export function createSignalStore(db: Db, retentionDays: number) {
  const collection: Collection<SignalDocument> = db.collection('signals');

  return {
    /** Saves signals with one command. `saved` must contain each signal only once. */
    async save(saved: readonly SavedSignal[], tx: Tx): Promise<void> {
      if (saved.length === 0) return;
      await collection.bulkWrite(
        saved.map(({ signal: { id, ...rest }, sequence, values }) => {
          const keptFrom = rest.confirmedAt ?? rest.effectiveAt;
          const forgetAt = new Date(keptFrom.getTime() + (retentionDays + slackDays) * dayMs);
          const $set = { ...rest, ...values, sequence, forgetAt };
          return { updateOne: { filter: { _id: id }, update: { $set }, upsert: true } };
        }),
        { ...tx, ordered: false },
      );
    },

    /** Returns signals of one store, newest effectiveAt first. */
    history: (domain: string, filters: SignalFilters, bounds: PageBounds): Promise<SignalPage> =>
      readPage(collection, {
        ...bounds,
        hint: historyKey,
        order: 'effectiveAt',
        span: filters.effective,
        equal: { domain, ...stateOf(filters) },
        filters: conditionOf({ ...filters, effective: {} }),
      }),

    /** Returns signals of all stores, newest confirmedAt first. */
    search(filters: SignalFilters, bounds: PageBounds): Promise<SignalPage> {
      const { from, to } = filters.confirmed;
      const first = firstOf(filters);
      const { [first ?? 'type']: leading, ...others } = conditionOf(filters);
      return readPage(collection, {
        ...bounds,
        hint: first ? `state_search_${first}` : 'state_search',
        order: 'confirmedAt',
        // No signal is confirmed before it is effective. The index contains no earlier time than the lower bound.
        span: { from: latest(from, filters.effective.from, retractableFrom(filters), new Date(1)), to },
        equal: { ...stateOf(filters), ...(first && { [first]: leading }) } as Condition,
        filters: first ? (others as Condition) : conditionOf(filters),
      });
    },
  };
}

/** Returns the filter whose index has the fewest entries, or undefined for the index of all signals. */
function firstOf({
  technologies,
  industry,
  country,
}: SignalFilters): 'technology' | 'industry' | 'country' | undefined {
  if (technologies?.length === 1) return 'technology';
  if (industry !== undefined) return 'industry';
  return country === undefined ? undefined : 'country';
}

function stateOf({ retractions }: SignalFilters): Condition {
  if (retractions === 'with') return { state: { $in: ['confirmed', 'retracted'] } };
  return { state: retractions === 'only' ? 'retracted' : 'confirmed' };
}

/** Returns the earliest confirmation of signals that were retracted in the span: retraction is possible only for a limited time. */
function retractableFrom({ retractions, retracted: { from } }: SignalFilters): Date | undefined {
  return retractions === 'only' && from ? new Date(from.getTime() - maxRetractableMs) : undefined;
}

function conditionOf(filters: SignalFilters): Record<string, unknown> {
  const { technologies, effective, confirmed: _confirmed, retractions: _retractions, retracted, ...values } = filters;
  const [technology] = technologies ?? [];
  const equal = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(equal),
    ...(technologies && { technology: technologies.length === 1 ? technology : { $in: technologies } }),
    ...((effective.from || effective.to) && { effectiveAt: within(effective) }),
    ...((retracted.from || retracted.to) && { retractedAt: within(retracted) }),
  };
}

const within = ({ from, to }: Span) => ({ ...(from && { $gte: from }), ...(to && { $lte: to }) });

function latest(...times: (Date | undefined)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}

interface PageQuery extends PageBounds {
  hint: Hint;
  order: TimeField;
  span: Span;
  /** The conditions on the first members of the index. */
  equal: Condition;
  filters: Condition;
}

/**
 * The numbers of entries of the parts of a page. Filters with many matches fill the page in the first part. A part has at most this
 * many entries of the time at which it begins, and as many of earlier times.
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
 * - The first entries of all ranges are read at the same time, because there are mostly none of the same time as the position.
 * - Few entries match -> the page ends at the last entry that was checked.
 */
async function readPage(collection: Collection<SignalDocument>, query: PageQuery): Promise<SignalPage> {
  const { hint, order, equal, filters, limit, timeoutMs } = query;
  const isOfOneTime = (range: Condition) => range._id !== undefined;
  const find = (range: Condition, checked: Condition = {}) =>
    collection
      .find({ ...equal, ...range, ...checked }, { hint, maxTimeMS: Math.max(1, Math.floor(timeoutMs())) })
      // With two states, MongoDB merges their entries in order only if the sort does not contain a time that is fixed.
      .sort(isOfOneTime(range) ? { _id: -1 } : { [order]: -1, _id: -1 });
  const keys = (range: Condition) => find(range).project<SignalDocument>({ _id: 1, [order]: 1 });
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
    return {
      isEmpty: isOfOneTime(range) && found.length === 0,
      last: last && { at: last[order] as Date, id: last._id },
    };
  };
  const signals: ConfirmedSignal[] = [];
  /** Adds the matching signals to the page. Returns true if more signals match than the page can hold. */
  const addFrom = async (range: Condition): Promise<boolean> => {
    const room = limit - signals.length;
    const rows = await find(range, filters)
      .limit(room + 1)
      .toArray();
    signals.push(...rows.slice(0, room).map(signalOf));
    return rows.length > room;
  };

  // Without filters, a page examines only the entries that it returns.
  const sizes = Object.keys(filters).length === 0 ? [undefined] : partSizes;
  let position = query.after;
  try {
    for (const size of sizes) {
      let last: SignalPosition | undefined;
      const ranges = rangesAfter(position, query);
      const starts = size === undefined ? [] : await Promise.all(ranges.map((range) => firstOf(range, size)));
      for (const [at, range] of ranges.entries()) {
        if (starts[at]?.isEmpty) continue;
        last = starts[at]?.last;
        for (const part of last ? upTo(range, order, last) : [range]) {
          const end = (await addFrom(part)) ? signals.at(-1) : undefined;
          if (end) return { signals, next: { at: end[order], id: end.id } };
        }
        if (last) break;
      }
      if (!last) return { signals, next: undefined };
      position = last;
    }
  } catch (error) {
    throw fromMongo(error);
  }
  return { signals, next: position };
}

/**
 * Returns the ranges after a position: first the entries of the same time with a smaller id, then those of earlier times. Returns no
 * range if the span begins later, for example because the plan's history has become shorter since the page before.
 */
function rangesAfter(after: SignalPosition | undefined, { order, span }: PageQuery): Condition[] {
  if (!after) return [span.from || span.to ? ({ [order]: within(span) } as Condition) : {}];
  if (span.from && after.at < span.from) return [];
  return [
    { [order]: { $eq: after.at }, _id: { $lt: after.id } } as Condition,
    { [order]: { ...(span.from && { $gte: span.from }), $lt: after.at } } as Condition,
  ];
}

/** Returns the part of a range up to `last`, as one or two ranges. */
function upTo(range: Condition, order: TimeField, last: SignalPosition): Condition[] {
  const times = (range[order] ?? {}) as { $eq?: Date; $gte?: Date; $lte?: Date; $lt?: Date };
  const { $gte: _, ...upper } = times;
  const ofLastTime = { [order]: { $eq: last.at }, _id: { ...(range._id as object), $gte: last.id } } as Condition;
  return times.$eq ? [ofLastTime] : [{ [order]: { ...upper, $gt: last.at } } as Condition, ofLastTime];
}

function signalOf(row: SignalDocument): ConfirmedSignal {
  const { _id, domain, type, technology, from, to, confidence, effectiveAt, confirmedAt } = row;
  const { retractedAt, retractedReason } = row;
  const signal = { id: _id, domain, type, technology, from, to, confidence, effectiveAt };
  return { ...signal, confirmedAt: confirmedAt ?? effectiveAt, retractedAt, retractedReason };
}
