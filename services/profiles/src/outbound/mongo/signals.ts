import { dayMs } from '@shopscope/clock';
import { fromMongo, type Tx } from '@shopscope/mongo';
import type { Collection, Db, Filter, Hint } from 'mongodb';
import { maxRetractableMs } from '../../domain/retraction.ts';
import type { Signal } from '../../domain/signal.ts';
import type { ConfirmedSignal, SignalFilters, SignalPage, SignalPosition, Span } from '../../domain/signal-query.ts';
import type { StoreValues } from '../../domain/store-profile.ts';

/** The values of the store exist once the signal is confirmed. */
interface SignalDocument extends Omit<Signal, 'id'>, Partial<StoreValues> {
  _id: string;
  /** Sequence of the observation that set the present state. */
  sequence: number;
  forgetAt: Date;
}

/** A signal, the observation that set its state, and the store when it was confirmed. Without values, those of the document stay. */
export interface SavedSignal {
  signal: Signal;
  sequence: number;
  values: StoreValues | undefined;
}

export interface PageBounds {
  after: SignalPosition | undefined;
  limit: number;
  /** The time on the server that is left. */
  timeoutMs(): number;
}

type Condition = Filter<SignalDocument>;
type TimeField = 'effectiveAt' | 'confirmedAt';
/**
 * Beyond the retention, so that whoever began to read at the oldest row of a window can read on to its end. A search reaches back to
 * confirmations, so a confirmed signal is kept from then on.
 */
const slackDays = 2;

/** A search checks its filters on the keys of an index, and reads only the documents that it returns. */
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

/** The state comes first: so retracted signals cost a search of confirmed ones nothing, and the other way round. */
const searchKey = (...first: Searched[]): Record<string, 1 | -1> => ({
  state: 1,
  ...Object.fromEntries(first.map((name) => [name, 1])),
  confirmedAt: -1,
  _id: -1,
  ...Object.fromEntries(searched.filter((name) => !first.includes(name)).map((name) => [name, 1])),
});

const epoch = new Date(0);
/** Of confirmed and retracted signals. Candidates and discarded ones have no time. */
const ofConfirmed = { partialFilterExpression: { confirmedAt: { $gt: epoch } } };

/** Descending effectiveAt, then descending id. */
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
 * Every signal, in its latest state.
 *
 * Pages of signals come from the primary: a secondary that is behind could hide rows that an earlier page was
 * followed by.
 */
export function createSignalStore(db: Db, retentionDays: number) {
  const collection: Collection<SignalDocument> = db.collection('signals');

  return {
    /** Each signal once, with the sequence of the observation that set its state. With one command. */
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

    /** Newest effectiveAt first. */
    history: (domain: string, filters: SignalFilters, bounds: PageBounds): Promise<SignalPage> =>
      readPage(collection, {
        ...bounds,
        hint: historyKey,
        order: 'effectiveAt',
        span: filters.effective,
        equal: { domain, ...stateOf(filters) },
        filters: conditionOf({ ...filters, effective: {} }),
      }),

    /** Newest confirmedAt first. */
    search(filters: SignalFilters, bounds: PageBounds): Promise<SignalPage> {
      const { from, to } = filters.confirmed;
      const first = firstOf(filters);
      const { [first ?? 'type']: leading, ...others } = conditionOf(filters);
      return readPage(collection, {
        ...bounds,
        hint: first ? `state_search_${first}` : 'state_search',
        order: 'confirmedAt',
        // No signal is confirmed before it is effective. The index has no earlier time than the lower bound.
        span: { from: latest(from, filters.effective.from, retractableFrom(filters), new Date(1)), to },
        equal: { ...stateOf(filters), ...(first && { [first]: leading }) } as Condition,
        filters: first ? (others as Condition) : conditionOf(filters),
      });
    },
  };
}

/** The filter whose index has the fewest entries; undefined for the index of all signals. */
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

/** No signal is retracted later than this after its confirmation, so a search by the retraction begins there. */
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
  /** The first members of the index. */
  equal: Condition;
  filters: Condition;
}

/**
 * Entries of the parts of a page. Filters with many matches fill the page in the first part. A part has at most this many
 * entries of the time at which it begins, and as many of earlier times.
 */
const partSizes = [500, 1_500, 3_000] as const;

/** Most index entries that one page checks for the filters, and so most documents that it reads. */
export const maxExaminedPerPage = 10_000;

interface RangeStart {
  isEmpty: boolean;
  last: SignalPosition | undefined;
}

/**
 * One page in the order of the index.
 *
 * - The ranges of entries are exact, and one after another: a single query with `$or` merges them entry by entry, ten times as
 *   slowly.
 * - Cost: at most {@link maxExaminedPerPage} entries are checked for the filters, and as many are counted to find the last of them.
 *   Many signals of one time, for example of an import, change nothing about this.
 * - The first entries of the ranges are read at the same time, because those of the position's own time are mostly none.
 * - Few entries match -> the page ends at the last entry that was checked.
 */
async function readPage(collection: Collection<SignalDocument>, query: PageQuery): Promise<SignalPage> {
  const { hint, order, equal, filters, limit, timeoutMs } = query;
  const isOfOneTime = (range: Condition) => range._id !== undefined;
  const find = (range: Condition, checked: Condition = {}) =>
    collection
      .find({ ...equal, ...range, ...checked }, { hint, maxTimeMS: Math.max(1, Math.floor(timeoutMs())) })
      // With two states MongoDB merges their entries in order only when the sort leaves out a time that is fixed.
      .sort(isOfOneTime(range) ? { _id: -1 } : { [order]: -1, _id: -1 });
  const keys = (range: Condition) => find(range).project<SignalDocument>({ _id: 1, [order]: 1 });
  /** The first `size` entries. `last` is undefined when there are fewer. */
  const firstOf = async (range: Condition, size: number): Promise<RangeStart> => {
    // Entries of the position's own time are rare, and without any there is nothing to check.
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
  /** Adds what matches. True when more would match than the page has room for. */
  const addFrom = async (range: Condition): Promise<boolean> => {
    const room = limit - signals.length;
    const rows = await find(range, filters)
      .limit(room + 1)
      .toArray();
    signals.push(...rows.slice(0, room).map(signalOf));
    return rows.length > room;
  };

  // Without filters a page examines what it returns.
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
 * What comes after a position: at the same time with a smaller id, then earlier. Nothing does when the span begins later, for
 * example because the plan reaches less far than at the page before.
 */
function rangesAfter(after: SignalPosition | undefined, { order, span }: PageQuery): Condition[] {
  if (!after) return [span.from || span.to ? ({ [order]: within(span) } as Condition) : {}];
  if (span.from && after.at < span.from) return [];
  return [
    { [order]: { $eq: after.at }, _id: { $lt: after.id } } as Condition,
    { [order]: { ...(span.from && { $gte: span.from }), $lt: after.at } } as Condition,
  ];
}

/** The part of a range that ends with `last`, as ranges. */
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
