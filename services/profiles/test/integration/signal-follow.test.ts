import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { CommitUnknownError, connectMongo, createTransact, ensureCollections } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import { profileUpdated } from '@shopscope/proto';
import { mongoOptions, type TestNamespace, testNamespace } from '@shopscope/testing';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createKnownValues } from '../../src/domain/known-values.ts';
import type { AscendingPosition } from '../../src/domain/signal-query.ts';
import { createTechnologyIndex } from '../../src/domain/technology-index.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { mergeObservations } from '../../src/operations/merge-observations.ts';
import { followSignals, type RequestedFilters } from '../../src/operations/query-signals.ts';
import { maxOpenMs, settleMs } from '../../src/operations/record-signals.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createObservationStore } from '../../src/outbound/mongo/observations.ts';
import { createOpenRecordStore } from '../../src/outbound/mongo/open-records.ts';
import { createOptOutStore } from '../../src/outbound/mongo/opt-outs.ts';
import { createSignalStore } from '../../src/outbound/mongo/signals.ts';
import { createStoreBodies } from '../../src/outbound/mongo/store-bodies.ts';
import { createProfileStore } from '../../src/outbound/mongo/stores.ts';
import { day } from '../support/observed.ts';
import { observed, sighting } from '../support/observed-event.ts';

/** A follower of signals and merges whose transactions commit late, against the real database. */
let namespace: TestNamespace;
let db: Db;
let deps: Dependencies;
let disconnect: () => Promise<void>;
let clock: ManualClock;
const origin = { requestId: 'req_follow', traceparent: '', environment: 'live' as const };
const technologies = createTechnologyIndex(vocabulary, 'https://site.example');

beforeAll(async () => {
  namespace = testNamespace('signal-follow');
  const options = mongoOptions(namespace, 'profiles');
  const mongo = await connectMongo(options);
  ({ db } = mongo);
  disconnect = mongo.close;
  await ensureCollections(db, collections);
  const outbox = createOutbox(db);
  deps = {
    siteUrl: 'https://site.example',
    technologies,
    knownValues: createKnownValues(technologies),
    openRecords: createOpenRecordStore(db, 'live'),
    stores: createProfileStore(db),
    storeBodies: createStoreBodies(db),
    observations: createObservationStore(db, 1_825),
    signals: createSignalStore(db, 1_825),
    optOuts: createOptOutStore(db),
    metrics: createMetrics(options.registry),
    logger: options.logger,
    transact: createTransact(mongo),
    appendEvents: (tx, updates) => outbox.appendMany(tx.session, profileUpdated.live, updates),
  } as Partial<Dependencies> as Dependencies;
});
beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2026, 2, 1));
  deps = { ...deps, clock };
  for (const name of ['stores', 'store_bodies', 'observations', 'signals', 'open_records', 'outbox']) {
    await db.collection(name).deleteMany({});
  }
});
afterAll(async () => {
  await disconnect?.();
  await namespace?.cleanup();
});

/** Merges two observations of a store: the second one adds a technology, and so confirms one signal. */
const addedAt = (domain: string) => observed(domain, 2, { technologies: [sighting('klaviyo')] });
const firstOf = (domain: string) => mergeObservations(deps, [{ event: observed(domain, 1), origin }]);
const secondOf = (by: Dependencies, domain: string) => mergeObservations(by, [{ event: addedAt(domain), origin }]);

/** The dependencies of a merge whose transaction commits only when `commit` is called. */
function lateCommit() {
  const ready = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const transact: Dependencies['transact'] = (work) =>
    deps.transact(
      async (tx) => {
        const result = await work(tx);
        ready.resolve();
        await gate.promise;
        return result;
      },
      { deadline: createDeadline(60_000) },
    );
  return { by: { ...deps, transact }, ready: ready.promise, commit: gate.resolve };
}

const filters: RequestedFilters = {
  types: ['technology_added'],
  technologies: [],
  kind: '',
  category: '',
  platforms: [],
  countries: [],
  industries: [],
  confidence: '',
  fromValues: [],
  toValues: [],
  effective: {},
  confirmed: { from: day(1) },
  retractions: 'none',
  retracted: {},
};

function follower(limit = 10) {
  let after: AscendingPosition | undefined;
  const domains: string[] = [];
  return {
    domains,
    async read() {
      const page = await followSignals(deps, { filters, after, limit }, createDeadline(30_000));
      domains.push(...page.signals.map(({ domain }) => domain));
      after = page.next;
      return page.hasMore;
    },
  };
}

it('a follower never passes a transaction that commits late, however late that is, and gets its signal once', async () => {
  for (const domain of ['early.example', 'late.example', 'next.example']) await firstOf(domain);
  await secondOf(deps, 'early.example');
  clock.advance(1);
  const late = lateCommit();
  const merging = secondOf(late.by, 'late.example');
  await late.ready;
  clock.advance(settleMs);
  // This one is announced and committed while the other one is open.
  await secondOf(deps, 'next.example');
  const { read, domains } = follower();
  for (let reads = 0; reads < 5; reads++) {
    clock.advance(settleMs);
    await read();
  }
  expect(domains).toEqual(['early.example']);

  late.commit();
  await merging;
  for (let pages = 0; await read(); pages++) expect(pages).toBeLessThan(10);
  expect(domains).toEqual(['early.example', 'late.example', 'next.example']);
});

it('a follower gets a signal whose scan completed before signals that the follower has passed, and was merged long after it', async () => {
  await firstOf('old.example');
  await firstOf('new.example');
  await mergeObservations(deps, [
    { event: observed('new.example', 20, { technologies: [sighting('klaviyo')] }), origin },
  ]);
  const { read, domains } = follower();
  clock.advance(settleMs + 1);
  await read();
  expect(domains).toEqual(['new.example']);
  await secondOf(deps, 'old.example');
  clock.advance(settleMs + 1);
  await read();
  expect(domains).toEqual(['new.example', 'old.example']);
});

it('a follower gets a signal once when it is recorded during the first walk, ahead of the place of the follower', async () => {
  const stores = [1, 2, 3, 4].map((n) => `walk-${n}.example`);
  for (const domain of [...stores, 'ahead.example']) await firstOf(domain);
  for (const domain of stores) await secondOf(deps, domain);
  clock.advance(settleMs);
  const { read, domains } = follower(2);
  expect(await read()).toBe(true);
  await mergeObservations(deps, [
    { event: observed('ahead.example', 9, { technologies: [sighting('klaviyo')] }), origin },
  ]);
  clock.advance(settleMs);
  for (let pages = 0; await read(); pages++) expect(pages).toBeLessThan(10);
  expect(domains.toSorted()).toEqual(['ahead.example', ...stores]);
});

it('a follower gets nothing that was recorded within the last ten seconds', async () => {
  await firstOf('young.example');
  await secondOf(deps, 'young.example');
  const { read, domains } = follower();
  expect(await read()).toBe(false);
  clock.advance(settleMs - 1);
  expect(await read()).toBe(false);
  expect(domains).toEqual([]);
  clock.advance(1);
  await read();
  expect(domains).toEqual(['young.example']);
});

it('an instance that was killed in a transaction delays followers until MongoDB has aborted it', async () => {
  await firstOf('killed.example');
  await deps.openRecords.open(new Date(clock.now()));
  clock.advance(1);
  await secondOf(deps, 'killed.example');
  const { read, domains } = follower();
  clock.advance(maxOpenMs - 1_000);
  await read();
  expect(domains).toEqual([]);
  clock.advance(1_000);
  await read();
  expect(domains).toEqual(['killed.example']);
});

it('a merge leaves no announcement after its commit or abort, and one after a commit with an unknown outcome', async () => {
  const open = () => db.collection('open_records').countDocuments();
  await firstOf('ends.example');
  const failing = (error: Error): Dependencies => ({
    ...deps,
    transact: (work) => deps.transact((tx) => work(tx).then(() => Promise.reject(error))),
  });
  await expect(secondOf(failing(new Error('fails')), 'ends.example')).rejects.toThrow('fails');
  expect(await open()).toBe(0);
  await expect(secondOf(failing(new CommitUnknownError('x')), 'ends.example')).rejects.toThrow('unknown');
  expect(await open()).toBe(1);
  await secondOf(deps, 'ends.example');
  expect(await open()).toBe(1);
});

it('a merge announces nothing when it confirms no signal', async () => {
  let announced = 0;
  const open: Dependencies['openRecords']['open'] = (at) => {
    announced++;
    return deps.openRecords.open(at);
  };
  const counting = { ...deps, openRecords: { ...deps.openRecords, open } };
  await mergeObservations(counting, [{ event: observed('calm.example', 1), origin }]);
  expect(announced).toBe(0);
  await secondOf(counting, 'calm.example');
  expect(announced).toBe(1);
});

it('a merge whose announcement took too long records nothing, and its retry records the signal', async () => {
  await firstOf('slow.example');
  const slow: Dependencies = {
    ...deps,
    openRecords: {
      ...deps.openRecords,
      async open(at) {
        const id = await deps.openRecords.open(at);
        clock.advance(settleMs);
        return id;
      },
    },
  };
  await expect(secondOf(slow, 'slow.example')).rejects.toMatchObject({ code: 'unavailable' });
  expect(await db.collection('signals').countDocuments()).toBe(0);
  await secondOf(deps, 'slow.example');
  const { read, domains } = follower();
  clock.advance(settleMs);
  await read();
  expect(domains).toEqual(['slow.example']);
});
