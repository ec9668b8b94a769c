import { createDeadline } from '@shopscope/async';
import { ManualClock, systemClock } from '@shopscope/clock';
import { connectMongo, createTransact, ensureIndexes, type Mongo } from '@shopscope/mongo';
import { createOutbox, outboxIndexes } from '@shopscope/outbox';
import { type ObservationCompleted, profileUpdated } from '@shopscope/proto';
import { mongoOptions, type TestNamespace, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTechnologyIndex } from '../../src/domain/technology-index.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { getStores } from '../../src/operations/get-stores.ts';
import { mergeObservations } from '../../src/operations/merge-observations.ts';
import { createBodySeparation } from '../../src/operations/separate-bodies.ts';
import { createDomainRanges } from '../../src/outbound/mongo/domain-ranges.ts';
import { createMigrationStore } from '../../src/outbound/mongo/migrations.ts';
import { createObservationStore } from '../../src/outbound/mongo/observations.ts';
import { createSignalStore } from '../../src/outbound/mongo/signals.ts';
import { createStoreBodies } from '../../src/outbound/mongo/store-bodies.ts';
import { createProfileStore } from '../../src/outbound/mongo/stores.ts';
import { createUnmovedBodies, type UnmovedBodies } from '../../src/outbound/mongo/unmoved-bodies.ts';
import { observed } from '../support/observed-event.ts';
import { siteUrl } from './support/corpus.ts';

/** Instances that share a corpus on a real MongoDB while the bodies of its stores move to their own collection. */
let namespace: TestNamespace;
let mongo: Mongo;
let options: ReturnType<typeof mongoOptions>;
let metrics: ReturnType<typeof createMetrics>;
const origin = { requestId: 'req_test', traceparent: '' };
const abort = new AbortController().signal;
const domains = Array.from({ length: 25 }, (_, n) => `shop-${String(n).padStart(2, '0')}.example`);
const first = domains[0] as string;

beforeAll(async () => {
  namespace = testNamespace('profiles-bodies');
  options = mongoOptions(namespace, 'profiles');
  metrics = createMetrics(options.registry);
  mongo = await connectMongo(options);
  const collections = { stores: [], store_bodies: [], migrations: [], observations: [], signals: [] };
  await ensureIndexes(mongo.db, { ...collections, ...outboxIndexes });
});
afterAll(async () => {
  await mongo?.close();
  await namespace?.cleanup();
});
beforeEach(async () => {
  for (const name of ['stores', 'store_bodies', 'migrations', 'observations', 'signals', 'outbox']) {
    await mongo.db.collection(name).deleteMany({});
  }
});

/** One instance. `separates` is its setting SEPARATE_STORE_BODIES. */
function instance({ separates, unmovedBodies }: { separates: boolean; unmovedBodies?: UnmovedBodies }) {
  const clock = new ManualClock();
  clock.sleep = async (_, signal) => signal?.throwIfAborted();
  const unmoved = unmovedBodies ?? createUnmovedBodies(mongo.db);
  const transact = createTransact(mongo);
  const logged = vi.fn();
  const separation = createBodySeparation({
    unmovedBodies: unmoved,
    storeBodies: createStoreBodies(mongo.db),
    migrations: createMigrationStore(mongo.db),
    transact,
    metrics,
    logger: { ...options.logger, info: logged } as never,
    clock,
    maxStoresPerBatch: 10,
  });
  const outbox = createOutbox(mongo.db);
  const deps: Dependencies = {
    clock: systemClock,
    siteUrl,
    environment: 'test',
    permits: { verify: async () => ({ fault: 'malformed' }), acceptsUnsigned: true },
    technologies: createTechnologyIndex([], siteUrl),
    corpusCount: () => undefined,
    domains: createDomainRanges(mongo.db),
    stores: createProfileStore(mongo.db, { keepsBodies: !separates }),
    storeBodies: createStoreBodies(mongo.db),
    unmovedBodies: unmoved,
    bodiesAreSeparate: separation.isComplete,
    observations: createObservationStore(mongo.db, 1_825),
    signals: createSignalStore(mongo.db, 1_825),
    metrics,
    logger: options.logger,
    transact,
    appendEvents: (tx, updates) => outbox.appendMany(tx.session, profileUpdated, updates),
  };
  return {
    separation,
    logged,
    merge: (...events: ObservationCompleted[]) =>
      mergeObservations(
        deps,
        events.map((event) => ({ event, origin })),
      ),
    /** Entity tag and body of every domain. */
    lookUp: async (names: readonly string[] = domains) =>
      (await getStores(deps, names, createDeadline(10_000))).map((found) => found && [found.etag, `${found.body}`]),
    nameOf: async (domain: string) =>
      JSON.parse(`${(await getStores(deps, [domain], createDeadline(10_000)))[0]?.body}`).name,
  };
}

const stores = () => mongo.db.collection<{ _id: string }>('stores');
const bodies = () => mongo.db.collection<{ _id: string }>('store_bodies');
const unmovedCount = () => stores().countDocuments({ body: { $exists: true } });

/** As an earlier version leaves them: every body is in `stores`, and nowhere else. */
async function storedByEarlierVersion(events: ObservationCompleted[] = domains.map((domain) => observed(domain, 1))) {
  await instance({ separates: false }).merge(...events);
  await bodies().deleteMany({ _id: { $in: events.map(({ domain }) => domain) } });
}

/** Ends the separation after some batches, as a killed process does. */
function endingAfter(batches: number): UnmovedBodies {
  const unmoved = createUnmovedBodies(mongo.db);
  let left = batches;
  return {
    ...unmoved,
    next: async (...query) => {
      if (left-- === 0) throw new Error('the process ended here');
      return unmoved.next(...query);
    },
  };
}

describe('while bodies move to their own collection,', () => {
  it('every look-up returns the same bytes before the move, between its batches and afterwards', async () => {
    await storedByEarlierVersion();
    const before = await instance({ separates: false }).lookUp();
    expect(before.every((found) => found !== undefined)).toBe(true);

    const unmoved = createUnmovedBodies(mongo.db);
    const reader = instance({ separates: true });
    const between: unknown[] = [];
    const mover = instance({
      separates: true,
      unmovedBodies: {
        ...unmoved,
        next: async (...query) => {
          between.push(await reader.lookUp());
          return unmoved.next(...query);
        },
      },
    });
    await mover.separation.run(abort);
    expect(between).toEqual([before, before, before]);
    expect(await mover.lookUp()).toEqual(before);
    expect(await reader.lookUp()).toEqual(before);
    expect([await unmovedCount(), await bodies().countDocuments()]).toEqual([0, domains.length]);
    expect((await metrics.bodiesSeparate.get()).values[0]?.value).toBe(1);
    expect(mover.logged).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ moved: domains.length }),
      'every store body is in its own collection',
    );
  });

  it('a look-up that began before a move finds the body that moved meanwhile', async () => {
    await storedByEarlierVersion();
    const unmoved = createUnmovedBodies(mongo.db);
    let moved = false;
    const reader = instance({
      separates: true,
      unmovedBodies: {
        ...unmoved,
        find: async (...query) => {
          const found = await unmoved.find(...query);
          if (!moved) await instance({ separates: true }).separation.run(abort);
          moved = true;
          return found;
        },
      },
    });
    const [before, after] = [await reader.lookUp(), await reader.lookUp()];
    expect(before.every((found) => found !== undefined)).toBe(true);
    expect(after).toEqual(before);
  });

  it('a merge between the read and the write of a batch is neither lost nor replaced by the older body', async () => {
    await storedByEarlierVersion();
    for (const separates of [true, false]) {
      const unmoved = createUnmovedBodies(mongo.db);
      const name = `merged by an instance with ${separates}`;
      let batches = 0;
      const mover = instance({
        separates: true,
        unmovedBodies: {
          ...unmoved,
          remove: async (...batch) => {
            batches += 1;
            if (batches === 1) await instance({ separates }).merge(observed(first, separates ? 2 : 3, { name }));
            return unmoved.remove(...batch);
          },
        },
      });
      await mover.separation.run(abort);
      expect(batches).toBe(4);
      expect(await mover.nameOf(first)).toBe(name);
      expect(await instance({ separates: false }).nameOf(first)).toBe(name);
      // The next round begins as this one did.
      await mongo.db.collection('migrations').deleteMany({});
      await bodies().aggregate(copyBack).toArray();
    }
  });

  it('a mover that is killed between two batches leaves every store readable, and the next one moves the rest', async () => {
    await storedByEarlierVersion();
    const before = await instance({ separates: false }).lookUp();
    const killed = instance({ separates: true, unmovedBodies: endingAfter(1) });
    await expect(killed.separation.run(abort)).rejects.toThrow('the process ended here');
    expect([await unmovedCount(), killed.separation.isComplete()]).toEqual([15, false]);
    expect(await killed.lookUp()).toEqual(before);
    expect(await instance({ separates: false }).lookUp()).toEqual(before);

    const next = instance({ separates: true });
    await next.separation.run(abort);
    expect(await unmovedCount()).toBe(0);
    expect(await next.lookUp()).toEqual(before);
    expect(next.logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ moved: 15 }), expect.any(String));
  });

  it('a batch that fails after its first write changes nothing', async () => {
    await storedByEarlierVersion();
    const unmoved = createUnmovedBodies(mongo.db);
    const dying = instance({
      separates: true,
      unmovedBodies: {
        ...unmoved,
        remove: async (...batch) => {
          await unmoved.remove(...batch);
          throw new Error('the process ended here');
        },
      },
    });
    await expect(dying.separation.run(abort)).rejects.toThrow('the process ended here');
    expect([await unmovedCount(), await bodies().countDocuments()]).toEqual([domains.length, 0]);
  });

  it('three movers at the same time move each body once, and scans that are merged meanwhile are shown', async () => {
    await storedByEarlierVersion();
    const movedBefore = (await metrics.bodiesMoved.get()).values[0]?.value ?? 0;
    const movers = [1, 2, 3].map(() => instance({ separates: true }));
    const merges = domains.map(async (domain, n) => {
      await instance({ separates: n % 2 === 0 }).merge(observed(domain, 2, { name: `Second scan of ${domain}` }));
    });
    await Promise.all([...movers.map(({ separation }) => separation.run(abort)), ...merges]);
    for (const domain of domains) expect(await movers[0]?.nameOf(domain)).toBe(`Second scan of ${domain}`);
    expect((await metrics.bodiesMoved.get()).values[0]?.value).toBeLessThanOrEqual(movedBefore + domains.length);
    expect(await bodies().countDocuments()).toBe(domains.length);
  });
});

describe('once every body has moved,', () => {
  it('look-ups read one collection, also after a restart, and nothing is moved again', async () => {
    await storedByEarlierVersion();
    await instance({ separates: true }).separation.run(abort);
    const unmoved = createUnmovedBodies(mongo.db);
    const find = vi.fn(unmoved.find);
    const next = vi.fn(unmoved.next);
    const restarted = instance({ separates: true, unmovedBodies: { ...unmoved, find, next } });
    await restarted.separation.refresh();
    expect((await restarted.lookUp([...domains, 'unknown.example'])).map((found) => found !== undefined)).toEqual([
      ...domains.map(() => true),
      false,
    ]);
    await restarted.separation.run(abort);
    expect([find, next].map((read) => read.mock.calls.length)).toEqual([0, 0]);
    expect(restarted.logged).not.toHaveBeenCalled();
  });

  it('a merge writes the profile without the body, and the body in the same transaction', async () => {
    const apart = instance({ separates: true });
    await apart.separation.run(abort);
    await apart.merge(observed('new.example', 1), observed('other.example', 1));
    const [profile, body] = [
      await stores().findOne({ _id: 'new.example' }),
      await bodies().findOne({ _id: 'new.example' }),
    ];
    expect([profile, body]).toEqual([
      expect.not.objectContaining({ body: expect.anything() }),
      expect.objectContaining({ body: expect.anything() }),
    ]);
    expect((profile as unknown as { etag: string }).etag).toBe((body as unknown as { etag: string }).etag);
    expect(await apart.nameOf('new.example')).toBe('Shop');
  });

  it('merges of an instance with the setting off are shown by the others, and separated at the next start', async () => {
    await storedByEarlierVersion();
    const apart = instance({ separates: true });
    await apart.separation.run(abort);
    const together = instance({ separates: false });
    await together.separation.reopen();
    await together.merge(observed(first, 2, { name: 'Off' }), observed('late.example', 1, { name: 'Off' }));
    for (const domain of [first, 'late.example']) {
      expect([await apart.nameOf(domain), await together.nameOf(domain)]).toEqual(['Off', 'Off']);
    }
    expect(await unmovedCount()).toBe(2);
    const restarted = instance({ separates: true });
    await restarted.separation.run(abort);
    expect([await unmovedCount(), await restarted.nameOf(first)]).toEqual([0, 'Off']);
  });

  it('a scan that an earlier version merged after a rollback is shown after the next upgrade', async () => {
    await storedByEarlierVersion();
    await instance({ separates: true }).separation.run(abort);
    await instance({ separates: false }).separation.reopen();
    await bodies().aggregate(copyBack).toArray();
    const stale = await bodies().findOne({ _id: first });
    await instance({ separates: false }).merge(observed(first, 2, { name: 'After the rollback' }));
    // An earlier version does not write store_bodies.
    await bodies().replaceOne({ _id: first }, stale as object);

    const upgraded = instance({ separates: false });
    await upgraded.separation.reopen();
    expect(await upgraded.nameOf(first)).toBe('After the rollback');
    const apart = instance({ separates: true });
    await apart.separation.run(abort);
    expect([await apart.separation.isComplete(), await apart.nameOf(first)]).toEqual([true, 'After the rollback']);
  });
});

/** The command of the README for a rollback to a version without `store_bodies`. */
const copyBack = [
  {
    $merge: {
      into: 'stores',
      whenMatched: [{ $set: { body: { $cond: [{ $eq: ['$etag', '$$new.etag'] }, '$$new.body', '$body'] } } }],
      whenNotMatched: 'discard',
    },
  },
];

describe('the copy of bodies back to their stores', () => {
  it('gives an earlier version every body, and replaces none by an older one', async () => {
    await storedByEarlierVersion();
    const apart = instance({ separates: true });
    await apart.separation.run(abort);
    const stale = await bodies().findOne({ _id: first });
    const together = instance({ separates: false });
    await together.merge(observed(first, 2, { name: 'Newer' }));
    const shown = await together.lookUp();
    await bodies().replaceOne({ _id: first }, stale as object);
    await bodies().aggregate(copyBack).toArray();
    expect(await unmovedCount()).toBe(domains.length);
    expect(await together.lookUp()).toEqual(shown);
  });
});
