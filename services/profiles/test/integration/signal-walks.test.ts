import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { ensureCollections } from '@shopscope/mongo';
import { Registry } from '@shopscope/telemetry';
import { type TestNamespace, testNamespace } from '@shopscope/testing';
import fc from 'fast-check';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKnownValues } from '../../src/domain/known-values.ts';
import type { AscendingPosition, SignalPosition } from '../../src/domain/signal-query.ts';
import { createTechnologyIndex } from '../../src/domain/technology-index.ts';
import { createMetrics } from '../../src/metrics.ts';
import {
  followSignals,
  getSignals,
  listSignalPlaces,
  type RequestedFilters,
  searchSignals,
} from '../../src/operations/query-signals.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createOpenRecordStore } from '../../src/outbound/mongo/open-records.ts';
import { createSignalStore } from '../../src/outbound/mongo/signals.ts';
import { firstMs, instant, lastMs, queryWith, slugs, span } from './support/generated-queries.ts';
import { type GeneratedSignal, generatedSignals, insertSignals } from './support/generated-signals.ts';
import { matches, newestFirst } from './support/signal-model.ts';

/** Walks over the pages of random searches, compared with a plain model. Signals are retracted and recorded between the pages. */

const technologies = createTechnologyIndex(vocabulary, 'https://site.example');
const model: GeneratedSignal[] = generatedSignals(2_000, slugs);
const clock = new ManualClock(Date.UTC(2026, 0, 10));

/** Each run has other random searches. `.ci/nightly` makes three times as many. */
const isNightly = process.env.SHOPSCOPE_NIGHTLY === 'true';

let namespace: TestNamespace;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  namespace = testNamespace('signal-walks');
  client = await MongoClient.connect(namespace.mongoUrl);
  db = client.db(namespace.databaseName('profiles'));
  await ensureCollections(db, collections);
  await insertSignals(db, model);
});
afterAll(async () => {
  await client?.close();
  await namespace?.cleanup();
});

const dependencies = () => ({
  signals: createSignalStore(db, 1_825),
  openRecords: createOpenRecordStore(db, 'live'),
  knownValues: createKnownValues(technologies),
  technologies,
  metrics: createMetrics(new Registry()),
  clock,
  logger: { warn: () => {} } as never,
});

const query = queryWith(2);
const pageSize = fc.integer({ min: 5, max: 200 });
/** The places of the signals that are retracted after each page. */
const retractions = fc.array(fc.array(fc.nat(model.length - 1), { maxLength: 5 }), { maxLength: 5 });

async function retract(places: readonly number[]): Promise<void> {
  for (const place of places) {
    const signal = model[place] as GeneratedSignal;
    if (signal.state !== 'confirmed') continue;
    const change = { state: 'retracted', retractedAt: new Date(clock.now()), retractedReason: 'technology_seen_again' };
    Object.assign(signal, change);
    await db.collection<{ _id: string }>('signals').updateOne({ _id: signal._id }, { $set: change });
  }
}

it('each page of a search has the rows of a plain model after the page before, whatever was retracted between them', async () => {
  const requested = fc.oneof(
    query,
    fc
      .record({ retracted: span })
      .chain((only) => query.map((each) => ({ ...each, ...only, retractions: 'only' as const }))),
  );
  await fc.assert(
    fc.asyncProperty(requested, pageSize, retractions, async (filters: RequestedFilters, limit, retracted) => {
      const seen = new Set<string>();
      let last: SignalPosition | undefined;
      for (let pages = 0, after: SignalPosition | undefined; ; pages++) {
        const expected = model
          .filter((signal) => matches(signal, filters))
          .toSorted(newestFirst)
          .filter(
            ({ confirmedAt: at, _id }) => !last || Number(at) < +last.at || (Number(at) === +last.at && _id < last.id),
          );
        const page = await searchSignals(dependencies(), { filters, after, limit }, createDeadline(30_000));
        expect(page.signals.map(({ id }) => id)).toEqual(expected.slice(0, limit).map(({ _id }) => _id));
        expect(page.hasMore).toBe(expected.length > limit);
        for (const { id } of page.signals) expect(seen.has(id)).toBe(false);
        for (const { id } of page.signals) seen.add(id);
        if (!page.next) return;
        after = page.next;
        const end = page.signals.at(-1);
        if (end) last = { at: end.confirmedAt, id: end.id };
        await retract(retracted[pages] ?? []);
      }
    }),
    { numRuns: isNightly ? 40 : 12 },
  );
});

it('the places of a search are those of its signals, in its order, and have their stores', async () => {
  await fc.assert(
    fc.asyncProperty(query, fc.integer({ min: 100, max: 5_000 }), async (filters, limit) => {
      const expected = model.filter((signal) => matches(signal, { ...filters, domains: undefined }));
      const found: { id: string; domain: string; at: Date }[] = [];
      for (let after: SignalPosition | undefined; ; ) {
        const request = { filters: { ...filters, domains: undefined }, after, limit, isAscending: false };
        const page = await listSignalPlaces(dependencies(), request, createDeadline(30_000));
        found.push(...page.signals);
        after = page.next;
        if (!after) break;
      }
      expect(found).toEqual(
        expected.toSorted(newestFirst).map(({ _id: id, domain, confirmedAt: at }) => ({ id, domain, at })),
      );
      const ids = found.slice(0, 100).map(({ id }) => id);
      if (ids.length === 0) return;
      const signals = await getSignals(dependencies(), [...ids, 'evt_unknown'], createDeadline(30_000));
      expect(signals.map(({ id }) => id)).toEqual(ids);
    }),
    { numRuns: isNightly ? 15 : 5 },
  );
});

/** The events between two pages of a follower. */
const step = fc.record({
  waitMs: fc.integer({ min: 0, max: 15_000 }),
  retracted: fc.array(fc.nat(model.length - 1), { maxLength: 3 }),
  /** Confirmations that are announced now: their times, and after how many pages they are committed. */
  recorded: fc.array(
    fc.record({ confirmedMs: fc.integer({ min: firstMs, max: lastMs + 86_400_000 }), commitsAfter: fc.nat(3) }),
    {
      maxLength: 3,
    },
  ),
});

it('a follower gets each signal once, also those that are committed late, if it is not retracted before', async () => {
  const { openRecords } = dependencies();
  let made = 0;
  const following = fc
    .tuple(queryWith(10), instant)
    .map(([each, from]): RequestedFilters => ({ ...each, effective: {}, confirmed: { from } }));
  await fc.assert(
    fc.asyncProperty(
      following,
      fc.integer({ min: 20, max: 200 }),
      fc.array(step, { minLength: 3, maxLength: 8 }),
      async (filters, limit, steps) => {
        const before = model.filter((signal) => matches(signal, filters));
        const committing: { afterPage: number; commit(): Promise<void> }[] = [];
        const rows: { id: string; confirmedAt: Date }[] = [];
        let ofFirstWalk = 0;
        let after: AscendingPosition | undefined;
        const read = async () => {
          const isFirstWalk = !after || after.recordedUntil !== undefined;
          const page = await followSignals(dependencies(), { filters, after, limit }, createDeadline(30_000));
          rows.push(...page.signals);
          if (isFirstWalk) ofFirstWalk = rows.length;
          after = page.next;
          return page.hasMore;
        };
        for (let page = 0; page < steps.length; page++) {
          const { waitMs, retracted, recorded } = steps[page] as (typeof steps)[number];
          await read();
          await retract(retracted);
          for (const { confirmedMs, commitsAfter } of recorded) {
            const recordedAt = new Date(clock.now());
            const opened = await openRecords.open(recordedAt);
            const like = model[(made * 37) % model.length] as GeneratedSignal;
            const confirmedAt = new Date(confirmedMs);
            const signal = {
              ...like,
              _id: `evt_late-${made++}`,
              state: 'confirmed',
              confirmedAt,
              effectiveAt: confirmedAt,
              recordedAt,
            };
            const whole = {
              platform: 'shopify',
              country: 'US',
              industry: 'pets',
              ...signal,
              retractedAt: null,
              retractedReason: null,
            };
            const commit = async () => {
              await insertSignals(db, [whole]);
              model.push(whole);
              await openRecords.close(opened);
            };
            committing.push({ afterPage: page + commitsAfter, commit });
          }
          for (const each of committing.filter(({ afterPage }) => afterPage === page)) await each.commit();
          clock.advance(waitMs);
        }
        for (const each of committing.filter(({ afterPage }) => afterPage >= steps.length)) await each.commit();
        clock.advance(10_001);
        for (let pages = 0; await read(); pages++) expect(pages).toBeLessThan(5_000);

        const ids = rows.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const missing = model.filter((signal) => matches(signal, filters) && !ids.includes(signal._id));
        expect(missing.map(({ _id, recordedAt, state }) => [_id, recordedAt, state])).toEqual([]);
        const known = new Set(model.map(({ _id }) => _id));
        expect(ids.filter((id) => !known.has(id))).toEqual([]);
        // Without late ones, the order is that of the confirmation.
        const first = rows.slice(0, ofFirstWalk);
        expect(first.map(({ confirmedAt }) => +confirmedAt)).toEqual(
          first.map(({ confirmedAt }) => +confirmedAt).toSorted((a, b) => a - b),
        );
        expect(first.length).toBeLessThanOrEqual(before.length);
      },
    ),
    { numRuns: isNightly ? 15 : 5 },
  );
});
