import { dayMs } from '@shopscope/clock';
import { fromMongo, type Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { maxRetractableMs } from '../../domain/retraction.ts';
import type { Signal } from '../../domain/signal.ts';
import type {
  ConfirmedSignal,
  SignalFilters,
  SignalPage,
  SignalPlace,
  SignalPosition,
} from '../../domain/signal-query.ts';
import type { StoreChange } from '../../domain/store-facts.ts';
import type { StoreValues } from '../../domain/store-profile.ts';
import { type PageBounds, type PageQuery, readPage, within } from './signal-pages.ts';
import { readPageOfStores } from './signal-store-pages.ts';

/** The values of the store, and the time of the record, are present once the signal is confirmed. */
interface SignalDocument extends Omit<Signal, 'id'>, Partial<StoreValues> {
  _id: string;
  /** The sequence of the observation that set the current state. */
  sequence: number;
  /** When the confirmation was recorded. Later changes of the signal do not change it. */
  recordedAt?: Date;
  forgetAt: Date;
}

/**
 * A signal, the sequence that set its state, and the values of the store at its confirmation. Undefined values change nothing: this merge
 * does not confirm the signal.
 */
export interface SavedSignal {
  signal: Signal;
  sequence: number;
  values: StoreValues | undefined;
}

/**
 * Signals are kept this much longer than the retention, so that a caller who starts at the oldest row of a window can read to its
 * end. The retention of a confirmed signal starts at its confirmation, because searches are by that time.
 */
const slackDays = 2;

/** A search checks its filters on the keys of an index. It reads only the documents that it returns. */
const searched = [
  'domain',
  'type',
  'technology',
  'platform',
  'country',
  'industry',
  'confidence',
  'from',
  'to',
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
  recordedAt: 1,
});

/** The order in which confirmations were recorded. */
const recordKey = {
  state: 1,
  recordedAt: 1,
  _id: 1,
  ...Object.fromEntries(searched.map((name) => [name, 1])),
  confirmedAt: 1,
} as const;

const epoch = new Date(0);
/** Indexes only confirmed and retracted signals. Candidates and discarded signals have no `confirmedAt`. */
const ofConfirmed = { partialFilterExpression: { confirmedAt: { $gt: epoch } } };
const ofRecorded = { partialFilterExpression: { recordedAt: { $gt: epoch } } };

/** The order is descending effectiveAt, then descending id. */
const historyKey = { domain: 1, state: 1, effectiveAt: -1, _id: -1 } as const;

export const signalIndexes = [
  { key: historyKey, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
  { key: searchKey(), options: { ...ofConfirmed, name: 'value_search' } },
  { key: searchKey('technology'), options: { ...ofConfirmed, name: 'value_search_technology' } },
  { key: searchKey('industry'), options: { ...ofConfirmed, name: 'value_search_industry' } },
  { key: searchKey('domain'), options: { ...ofConfirmed, name: 'value_search_domain' } },
  { key: searchKey('country'), options: { ...ofConfirmed, name: 'value_search_country' } },
  { key: recordKey, options: { ...ofRecorded, name: 'record_order' } },
];

/** Fields of the index, so that no document is read. */
const changeProjection = { domain: 1, type: 1, technology: 1, from: 1, to: 1, effectiveAt: 1, confirmedAt: 1 } as const;

/** A search that begins with at most this many values reads one range of an index for each, and merges these ranges in order. */
const maxMerged = 20;

export type SignalStore = ReturnType<typeof createSignalStore>;

/**
 * Stores every signal in its latest state.
 *
 * Pages of signals are read from the primary, because a secondary that is behind could hide rows that come after an earlier page.
 */
export function createSignalStore(db: Db, retentionDays: number) {
  const collection: Collection<SignalDocument> = db.collection('signals');

  return {
    /**
     * Saves signals with one command. `saved` must contain each signal only once. `recordedAt` is the time of the
     * record of the confirmed ones.
     */
    async save(saved: readonly SavedSignal[], recordedAt: Date | undefined, tx: Tx): Promise<void> {
      if (saved.length === 0) return;
      await collection.bulkWrite(
        saved.map(({ signal: { id, domain, ...rest }, sequence, values }) => {
          const keptFrom = rest.confirmedAt ?? rest.effectiveAt;
          const forgetAt = new Date(keptFrom.getTime() + (retentionDays + slackDays) * dayMs);
          const confirmation = values && recordedAt && { ...values, recordedAt };
          const $set = { ...rest, ...confirmation, sequence, forgetAt };
          return { updateOne: { filter: { _id: id, domain }, update: { $set }, upsert: true } };
        }),
        { ...tx, ordered: false },
      );
    },

    async delete(domains: readonly string[], tx: Tx): Promise<void> {
      await collection.deleteMany({ domain: { $in: [...domains] } }, tx);
    },

    /** Returns signals of one store, newest effectiveAt first. */
    async history(domain: string, filters: SignalFilters, bounds: PageBounds): Promise<SignalPage> {
      const { rows, next } = await readPage(collection, {
        ...bounds,
        hint: historyKey,
        order: 'effectiveAt',
        direction: -1,
        span: filters.effective,
        equal: { domain, state: stateOf(filters) },
        filters: conditionOf({ ...filters, effective: {} }),
      });
      return { signals: rows.map(signalOf), next };
    },

    /** Returns signals by confirmedAt, newest first or ascending. */
    async search(filters: SignalFilters, bounds: PageBounds, direction: 1 | -1 = -1): Promise<SignalPage> {
      const query = searchQuery(filters, bounds, direction);
      const { rows, next } = filters.domains
        ? await readPageOfStores(collection, query, filters.domains)
        : await readPage(collection, query);
      return { signals: rows.map(signalOf), next };
    },

    /** Returns signals whose confirmation was recorded after the position, until `until`, oldest record first. */
    async recorded(filters: SignalFilters, bounds: RecordedBounds): Promise<SignalPage> {
      const { rows, next } = await readPage(collection, recordedQuery(filters, bounds));
      return { signals: rows.map(signalOf), next };
    },

    /** The same orders as {@link search} and {@link recorded}. They return only places, which are keys of the indexes. */
    places: {
      search: (filters: SignalFilters, bounds: PageBounds, direction: 1 | -1 = -1) =>
        placesOf(collection, searchQuery(filters, bounds, direction)),
      recorded: (filters: SignalFilters, bounds: RecordedBounds) =>
        placesOf(collection, recordedQuery(filters, bounds)),
    },

    /**
     * Returns the confirmed signals of stores, the latest confirmation of a store first: at most `maxPerType` of each type. Reads only
     * keys of the index.
     */
    async ofStores(
      domains: readonly string[],
      { maxPerType, timeoutMs }: { maxPerType: number; timeoutMs: number },
    ): Promise<Map<string, StoreChange[]>> {
      const found = new Map<string, StoreChange[]>();
      const query = { state: 'confirmed' as const, domain: { $in: [...domains] }, confirmedAt: { $gt: epoch } };
      const options = {
        projection: changeProjection,
        hint: 'value_search_domain',
        maxTimeMS: Math.max(1, Math.floor(timeoutMs)),
      };
      const counts = new Map<string, number>();
      try {
        for await (const { _id: id, domain, ...rest } of collection.find(query, options)) {
          const key = `${domain} ${rest.type}`;
          const count = (counts.get(key) ?? 0) + 1;
          counts.set(key, count);
          if (count > maxPerType) continue;
          const changes = found.get(domain) ?? [];
          found.set(domain, changes);
          changes.push({ id, ...rest, confirmedAt: rest.confirmedAt ?? rest.effectiveAt });
        }
      } catch (error) {
        throw fromMongo(error);
      }
      return found;
    },

    /** Returns confirmed and retracted signals by their ids, in any order. */
    async findAll(ids: readonly string[], maxTimeMS: number): Promise<ConfirmedSignal[]> {
      const query = { _id: { $in: [...ids] }, state: { $in: ['confirmed' as const, 'retracted' as const] } };
      return (await collection.find(query, { maxTimeMS, batchSize: ids.length + 1 }).toArray()).map(signalOf);
    },
  };
}

type RecordedBounds = PageBounds & { after: SignalPosition; until: Date };

function searchQuery(filters: SignalFilters, bounds: PageBounds, direction: 1 | -1): PageQuery {
  const { from, to } = filters.confirmed;
  const first = filters.domains ? 'domain' : firstOf(filters);
  const { [first ?? '']: leading, ...others } = conditionOf(filters);
  return {
    ...bounds,
    hint: first ? `value_search_${first}` : 'value_search',
    order: 'confirmedAt',
    direction,
    // No signal is confirmed before it is effective. The index contains no earlier time than the lower bound.
    span: { from: latest(from, filters.effective.from, retractableFrom(filters), new Date(1)), to },
    equal: { state: stateOf(filters), ...(first && { [first]: leading }) },
    filters: others,
  };
}

function recordedQuery(filters: SignalFilters, { until, ...bounds }: RecordedBounds): PageQuery {
  const { confirmed } = filters;
  return {
    ...bounds,
    hint: 'record_order',
    order: 'recordedAt',
    direction: 1,
    span: { to: until },
    equal: { state: stateOf(filters) },
    filters: {
      ...conditionOf(filters),
      ...((confirmed.from || confirmed.to) && { confirmedAt: within(confirmed) }),
    },
  };
}

async function placesOf(
  collection: Collection<SignalDocument>,
  query: PageQuery,
): Promise<SignalPage<SignalPosition, SignalPlace>> {
  const { order } = query;
  const { rows, next } = await readPage(collection, { ...query, projection: { _id: 1, domain: 1, [order]: 1 } });
  return { signals: rows.map((row) => ({ id: row._id, at: row[order] as Date, domain: row.domain })), next };
}

/** Returns the filter whose index has the fewest entries, or undefined for the index of all signals. */
function firstOf({
  technologies,
  industries,
  countries,
}: SignalFilters): 'technology' | 'industry' | 'country' | undefined {
  const canLead = (values: readonly string[] | undefined) => values !== undefined && values.length <= maxMerged;
  if (canLead(technologies)) return 'technology';
  if (canLead(industries)) return 'industry';
  return canLead(countries) ? 'country' : undefined;
}

function stateOf({ retractions }: Pick<SignalFilters, 'retractions'>): unknown {
  if (retractions === 'with') return { $in: ['confirmed', 'retracted'] };
  return retractions === 'only' ? 'retracted' : 'confirmed';
}

/** Returns the earliest confirmation of signals that were retracted in the span: retraction is possible only for a limited time. */
function retractableFrom({ retractions, retracted: { from } }: SignalFilters): Date | undefined {
  return retractions === 'only' && from ? new Date(from.getTime() - maxRetractableMs) : undefined;
}

/** Returns the conditions on the fields of the documents, without those on the state and on the time of the confirmation. */
function conditionOf(filters: SignalFilters): Record<string, unknown> {
  const { effective, retracted, confidence, recordedUntil } = filters;
  const lists = {
    domain: filters.domains,
    type: filters.types,
    technology: filters.technologies,
    platform: filters.platforms,
    country: filters.countries,
    industry: filters.industries,
    from: filters.fromValues,
    to: filters.toValues,
  };
  return {
    ...Object.fromEntries(Object.entries(lists).flatMap(([field, values]) => (values ? [[field, anyOf(values)]] : []))),
    ...(confidence !== undefined && { confidence }),
    ...((effective.from || effective.to) && { effectiveAt: within(effective) }),
    ...((retracted.from || retracted.to) && { retractedAt: within(retracted) }),
    ...(recordedUntil && { recordedAt: { $lte: recordedUntil } }),
  };
}

const anyOf = (values: readonly string[]) => (values.length === 1 ? values[0] : { $in: values });

function latest(...times: (Date | undefined)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}

function signalOf(row: SignalDocument): ConfirmedSignal {
  const { _id, domain, type, technology, from, to, confidence, effectiveAt, confirmedAt } = row;
  const { retractedAt, retractedReason } = row;
  const signal = { id: _id, domain, type, technology, from, to, confidence, effectiveAt };
  return { ...signal, confirmedAt: confirmedAt ?? effectiveAt, retractedAt, retractedReason };
}
