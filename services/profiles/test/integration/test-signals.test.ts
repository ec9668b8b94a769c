import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { ensureCollections } from '@shopscope/mongo';
import { Registry } from '@shopscope/telemetry';
import { runsOf, type TestNamespace, testNamespace } from '@shopscope/testing';
import fc from 'fast-check';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KeptSignal } from '../../src/domain/kept-signal.ts';
import { createKnownValues } from '../../src/domain/known-values.ts';
import type { AscendingPosition } from '../../src/domain/signal-query.ts';
import { createTechnologyIndex } from '../../src/domain/technology-index.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { ReadDependencies } from '../../src/operations/dependencies.ts';
import { followSignals, listSignalPlaces, searchSignals } from '../../src/operations/query-signals.ts';
import { createTestReads } from '../../src/operations/test-stores/read-test-stores.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createOpenRecordStore } from '../../src/outbound/mongo/open-records.ts';
import { createSignalStore } from '../../src/outbound/mongo/signals.ts';
import type { TestStores } from '../../src/outbound/mongo/test-stores.ts';
import { queryWith, slugs } from './support/generated-queries.ts';
import { type GeneratedSignal, generatedSignals, insertSignals } from './support/generated-signals.ts';

/** The queries of the test tenant, which run in memory, beside those of live stores on the same signals. */

const generated = generatedSignals(1_000, slugs);
const ofStore = Map.groupBy(generated, ({ domain }) => domain);
let namespace: TestNamespace;
let client: MongoClient;
let db: Db;
let live: ReadDependencies;
let test: ReadDependencies;

beforeAll(async () => {
  namespace = testNamespace('test-signals');
  client = await MongoClient.connect(namespace.mongoUrl);
  db = client.db(namespace.databaseName('profiles'));
  await ensureCollections(db, collections);
  await insertSignals(db, generated);
  const technologies = createTechnologyIndex(vocabulary, 'https://site.example');
  const shared = {
    clock: new ManualClock(Date.UTC(2026, 0, 10)),
    technologies,
    knownValues: createKnownValues(technologies),
    openRecords: createOpenRecordStore(db, 'test'),
    metrics: createMetrics(new Registry()),
    logger: { warn: () => {} } as never,
  };
  live = { ...shared, storeBodies: undefined as never, signals: createSignalStore(db, 1_825) };
  test = createTestReads({ ...shared, ...halves() })('ws_test');
});
afterAll(async () => {
  await client?.close();
  await namespace?.cleanup();
});

/** Every second store is scanned by the workspace. The corpus has all stores, the scanned ones without signals. */
function halves() {
  const isScanned = (domain: string) => Number(/\d+/.exec(domain)?.[0]) % 2 === 0;
  const all = [...ofStore].map(([domain, signals]) => [domain, signals.flatMap(keptOf)] as const);
  const wanted = (domains?: Iterable<string>) => {
    const only = domains && new Set(domains);
    return all.filter(([domain]) => !only || only.has(domain));
  };
  const stores = {
    signals: async (_: string, __: number, domains?: readonly string[]) =>
      new Map(wanted(domains).filter(([domain]) => isScanned(domain))),
  } as unknown as TestStores;
  const frozen = async (domains?: Iterable<string>) =>
    new Map(
      wanted(domains).map(
        ([domain, signals]) =>
          [domain, { body: undefined as never, signals: isScanned(domain) ? [] : signals }] as const,
      ),
    );
  const tenants = { startedAtMs: async () => undefined };
  return { stores, tenants, corpus: { size: all.length, find: frozen, all: () => frozen() } };
}

function keptOf(signal: GeneratedSignal): KeptSignal[] {
  const { _id: id, confirmedAt, platform, country, industry, recordedAt } = signal;
  if (!confirmedAt || !recordedAt) return [];
  const values = { platform, country, industry } as KeptSignal['values'];
  return [{ signal: { ...signal, id, confirmedAt } as KeptSignal['signal'], values, recordedAt }];
}

interface Page {
  signals: { id: string; domain: string }[];
  next: AscendingPosition | undefined;
  hasMore: boolean;
}

/** Returns the stores and ids of all pages, in their order. */
async function walk(read: (after: AscendingPosition | undefined) => Promise<Page>): Promise<string[]> {
  const found: string[] = [];
  for (let pages = 0, after: AscendingPosition | undefined; pages < 500; pages++) {
    const { signals, next, hasMore } = await read(after);
    found.push(...signals.map(({ domain, id }) => `${domain} ${id}`));
    if (!hasMore) return found;
    after = next;
  }
  throw new Error('the pages have no end');
}

it('a search in the test tenant has the rows of the same search in live stores, in the same order', async () => {
  const deadline = createDeadline(60_000);
  const order = fc.constantFrom('newest', 'oldest', 'places', 'oldest places');
  await fc.assert(
    fc.asyncProperty(queryWith(2), order, fc.integer({ min: 20, max: 200 }), async (filters, by, limit) => {
      const rowsOf = (deps: ReadDependencies) =>
        walk((after) => {
          const request = { filters, after, limit };
          if (by === 'newest') return searchSignals(deps, request, deadline);
          if (by === 'oldest') return followSignals(deps, request, deadline);
          return listSignalPlaces(deps, { ...request, isAscending: by !== 'places' }, deadline);
        });
      expect(await rowsOf(test)).toEqual(await rowsOf(live));
    }),
    runsOf({ byDay: 20, atNight: 60 }),
  );
});

it('a follower of the test tenant gets later records as a follower of live stores does', async () => {
  const deadline = createDeadline(60_000);
  const at = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 3) }).map((ms) => new Date(ms));
  await fc.assert(
    fc.asyncProperty(queryWith(4), at, async (filters, from) => {
      const rowsOf = (deps: ReadDependencies) =>
        walk((after) => followSignals(deps, { filters, after: after ?? { at: from, id: '' }, limit: 50 }, deadline));
      expect(await rowsOf(test)).toEqual(await rowsOf(live));
    }),
    runsOf({ byDay: 10, atNight: 30 }),
  );
});

it('a page of the history of a test store is that of a live store with the same signals', async () => {
  const domains = fc.constantFrom(...ofStore.keys());
  const retractions = fc.constantFrom('none' as const, 'with' as const, 'only' as const);
  const limits = fc.integer({ min: 1, max: 5 });
  await fc.assert(
    fc.asyncProperty(domains, retractions, limits, fc.nat(2_000), async (domain, retracting, limit, minutes) => {
      const filters = {
        effective: { from: new Date(Date.UTC(2026, 0, 1, 0, minutes)) },
        confirmed: {},
        retractions: retracting,
        retracted: {},
      };
      const bounds = { after: undefined, limit, timeoutMs: () => 10_000 };
      const first = await live.signals.history(domain, filters, bounds);
      expect((await test.signals.history(domain, filters, bounds)).signals.map(({ id }) => id)).toEqual(
        first.signals.map(({ id }) => id),
      );
    }),
    runsOf({ byDay: 20, atNight: 60 }),
  );
});
