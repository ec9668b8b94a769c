import { hourMs, ManualClock, minuteMs } from '@shopscope/clock';
import { connectMongo, createTransact, ensureCollections, type Mongo } from '@shopscope/mongo';
import { mongoOptions, type TestNamespace, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoreState } from '../../src/domain/values.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createCorpusCounts } from '../../src/operations/keep-corpus-count.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createCorpusCountStore } from '../../src/outbound/mongo/corpus-counts.ts';
import { createDomainRanges, type DomainRanges } from '../../src/outbound/mongo/domain-ranges.ts';
import { day } from '../support/observed.ts';

/** Instances that count one corpus, on a real MongoDB, with a clock that the test moves. */
let namespace: TestNamespace;
let mongo: Mongo;
let clock: ManualClock;
const abort = new AbortController().signal;
let metrics: ReturnType<typeof createMetrics>;

beforeAll(async () => {
  namespace = testNamespace('profiles-counts');
  const options = mongoOptions(namespace, 'profiles');
  metrics = createMetrics(options.registry);
  mongo = await connectMongo(options);
  await ensureCollections(mongo.db, collections);
});
afterAll(async () => {
  await mongo?.close();
  await namespace?.cleanup();
});
beforeEach(async () => {
  await mongo.db.collection('stores').deleteMany({});
  await mongo.db.collection('corpus_counts').deleteMany({});
  clock = new ManualClock();
  clock.sleep = async (_, signal) => signal?.throwIfAborted();
});

interface Seeded {
  state?: StoreState;
  scannedAt?: Date;
}

async function seed(stores: Record<string, Seeded>): Promise<void> {
  await mongo.db.collection<{ _id: string }>('stores').insertMany(
    Object.entries(stores).map(([domain, store]) => ({
      _id: domain,
      lastCompletedScanAt: store.scannedAt ?? day(1),
      status: { state: store.state ?? 'active_storefront' },
    })),
  );
}

/** One instance of the service. */
function instance({ rangeSize = 10_000, domains = createDomainRanges(mongo.db) } = {}) {
  const counts = createCorpusCountStore(mongo.db, createTransact(mongo));
  const counting = vi.fn(domains.count);
  return {
    counting,
    ...createCorpusCounts({
      counts,
      deps: { domains: { ...domains, count: counting }, clock },
      metrics,
      intervalMs: hourMs,
      clock,
      rangeSize,
    }),
  };
}

const lease = () => mongo.db.collection<{ _id: string }>('corpus_counts').findOne({ _id: 'lease' });

describe('count of the corpus', () => {
  it('a count of the corpus counts live stores, and profiles of every status', async () => {
    const states = ['password_protected', 'unreachable', 'closed', 'parked', 'redirected', 'not_a_storefront'] as const;
    await seed(Object.fromEntries(states.map((state) => [`${state.replaceAll('_', '-')}.example`, { state }])));
    await seed({ 'active.example': {}, 'another.example': {} });
    const { look, current } = instance();
    await look(abort);
    expect(current()).toMatchObject({ countedAt: new Date(clock.now()), stores: 3, profiles: 8 });
  });

  it('a count of several ranges counts each store once, and has a page for each range without a gap', async () => {
    const names = Array.from({ length: 11 }, (_, i) => `shop-${String.fromCharCode(97 + i)}.example`);
    await seed(
      Object.fromEntries(
        names.map((name, i) => [
          name,
          {
            scannedAt: day(i + 1),
            ...(i === 1 && { state: 'not_a_storefront' as const }),
          },
        ]),
      ),
    );
    const { look, current, counting } = instance({ rangeSize: 3 });
    await look(abort);
    expect(counting).toHaveBeenCalledTimes(4);
    expect(current()).toMatchObject({ stores: 10, profiles: 11 });
    expect(current()?.pages).toEqual([
      { after: '', through: names[2], domains: 2, lastCompletedScanAt: day(3) },
      { after: names[2], through: names[5], domains: 3, lastCompletedScanAt: day(6) },
      { after: names[5], through: names[8], domains: 3, lastCompletedScanAt: day(9) },
      { after: names[8], through: '', domains: 2, lastCompletedScanAt: day(11) },
    ]);
  });

  it('a count of a corpus that fills its last range, and of an empty corpus, has no empty page', async () => {
    await seed({ 'a.example': {}, 'b.example': {} });
    const full = instance({ rangeSize: 2 });
    await full.look(abort);
    expect(full.current()?.pages).toMatchObject([{ after: '', through: '', domains: 2 }]);

    await mongo.db.collection('stores').deleteMany({});
    clock.advance(hourMs);
    await full.look(abort);
    expect(full.current()).toMatchObject({ stores: 0, profiles: 0, pages: [] });
  });

  it('a count runs in one of all instances and at most once per interval; the others show its result', async () => {
    await seed({ 'a.example': {} });
    const instances = [instance(), instance(), instance()];
    await Promise.all(instances.map(({ look }) => look(abort)));
    const runs = () => instances.reduce((sum, { counting }) => sum + counting.mock.calls.length, 0);
    expect(runs()).toBe(1);

    clock.advance(hourMs - 1);
    await seed({ 'b.example': {} });
    for (const { look } of instances) await look(abort);
    expect(runs()).toBe(1);
    expect(instances.map(({ current }) => current()?.stores)).toEqual([1, 1, 1]);

    clock.advance(1);
    for (const { look } of instances) await look(abort);
    expect(runs()).toBe(2);
    for (const { refresh } of instances) await refresh();
    expect(instances.map(({ current }) => current()?.stores)).toEqual([2, 2, 2]);
  });

  it('the earlier count is shown as a whole while a count of the corpus runs', async () => {
    await seed({ 'a.example': {}, 'b.example': {}, 'c.example': {} });
    const counter = instance({ rangeSize: 1 });
    await counter.look(abort);
    clock.advance(hourMs);
    await seed({ 'd.example': {} });
    const reader = instance();
    const seen: unknown[] = [];
    clock.sleep = async () => {
      await reader.refresh();
      const { stores, pages } = reader.current() as NonNullable<ReturnType<typeof reader.current>>;
      seen.push([stores, pages.length]);
    };
    await counter.look(abort);
    expect(seen).toEqual(seen.map(() => [3, 3]));
    expect(seen.length).toBeGreaterThanOrEqual(3);
    await reader.refresh();
    expect(reader.current()).toEqual(counter.current());
    expect(reader.current()).toMatchObject({ stores: 4, pages: { length: 4 } });
  });

  it('a count that fails leaves the earlier one, and no instance tries again before a pause has passed', async () => {
    await seed({ 'a.example': {} });
    const sound = instance();
    await sound.look(abort);
    const before = sound.current();
    clock.advance(hourMs);
    const failing = instance({ domains: failingRanges() });
    await expect(failing.look(abort)).rejects.toThrow('too slow');
    expect(failing.current()).toEqual(before);

    await sound.look(abort);
    expect(sound.counting).toHaveBeenCalledTimes(1);
    clock.advance(10 * minuteMs);
    await sound.look(abort);
    expect(sound.current()?.countedAt).toEqual(new Date(clock.now()));
  });

  it('a count that the process ends gives its lease back at once', async () => {
    await seed({ 'a.example': {}, 'b.example': {} });
    const stopping = new AbortController();
    clock.sleep = async (_, signal) => {
      stopping.abort(new Error('the loop is stopping'));
      signal?.throwIfAborted();
    };
    const stopped = instance({ rangeSize: 1 });
    await expect(stopped.look(stopping.signal)).rejects.toThrow('stopping');
    expect(await lease()).toBeNull();
    expect(stopped.current()).toBeUndefined();

    clock.sleep = async () => {};
    const next = instance();
    await next.look(abort);
    expect(next.current()?.stores).toBe(2);
  });

  it('a count of an instance that was killed is made by another one when the lease has expired', async () => {
    await seed({ 'a.example': {} });
    const killed = createCorpusCountStore(mongo.db, createTransact(mongo));
    expect(await killed.takeLease('killed', clock.now(), 60_000)).toBe(true);
    const next = instance();
    await next.look(abort);
    expect(next.current()).toBeUndefined();
    clock.advance(60_000);
    await next.look(abort);
    expect(next.current()?.stores).toBe(1);
  });

  it('a count of an instance that was suspended is dropped when another one has counted meanwhile', async () => {
    await seed({ 'a.example': {}, 'b.example': {} });
    const other = instance();
    const suspended = instance({ rangeSize: 2 });
    let resumed = false;
    clock.sleep = async () => {
      if (resumed) return;
      resumed = true;
      clock.advance(2 * minuteMs);
      await seed({ 'c.example': {} });
      await other.look(abort);
    };
    await expect(suspended.look(abort)).rejects.toThrow('the lease to count was lost');
    const reader = instance();
    await reader.refresh();
    expect(reader.current()).toEqual(other.current());
    expect(reader.current()?.stores).toBe(3);
  });

  it('a count is not replaced by an instance that lost its lease after its last range', async () => {
    await seed({ 'a.example': {} });
    const sound = instance();
    await sound.look(abort);
    const store = createCorpusCountStore(mongo.db, createTransact(mongo));
    await store.takeLease('another instance', clock.now(), 60_000);
    const late = { countedAt: new Date(0), stores: 9, profiles: 9, pages: [] };
    expect(await store.replace('a suspended instance', late)).toBe(false);
    expect(await store.load(1_000)).toEqual(sound.current());
    expect(await lease()).toMatchObject({ holder: 'another instance' });
  });

  it('a count of an instance whose clock was ahead does not stay until that time', async () => {
    await seed({ 'a.example': {} });
    clock.advance(24 * hourMs);
    await instance().look(abort);
    clock.setWall(clock.now() - 24 * hourMs);
    const next = instance();
    await next.look(abort);
    expect(next.current()?.countedAt).toEqual(new Date(clock.now()));
  });
});

function failingRanges(): DomainRanges {
  return {
    ...createDomainRanges(mongo.db),
    count: async () => {
      throw new Error('too slow');
    },
  };
}
