import { ManualClock } from '@shopscope/clock';
import { connectMongo, createTransact, ensureCollections } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import { MergeOutcome, profileUpdated } from '@shopscope/proto';
import { mongoOptions, type TestNamespace, testNamespace } from '@shopscope/testing';
import fc from 'fast-check';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTechnologyIndex } from '../../src/domain/technology-index.ts';
import { createMetrics } from '../../src/metrics.ts';
import { applyOptOut } from '../../src/operations/apply-opt-out.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { mergeObservations } from '../../src/operations/merge-observations.ts';
import { claimMs, removeStores } from '../../src/operations/remove-stores.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import { createObservationStore } from '../../src/outbound/mongo/observations.ts';
import { createOpenRecordStore } from '../../src/outbound/mongo/open-records.ts';
import { createOptOutStore } from '../../src/outbound/mongo/opt-outs.ts';
import { createSignalStore } from '../../src/outbound/mongo/signals.ts';
import { createStoreBodies } from '../../src/outbound/mongo/store-bodies.ts';
import { createProfileStore } from '../../src/outbound/mongo/stores.ts';
import { observed, sighting } from '../support/observed-event.ts';

const origin = { requestId: 'req_opt_out', traceparent: '', environment: 'live' as const };
const sizes = { maxPerTransaction: 2, maxPerStep: 3 };
const lateWalkMs = 180_000;

let namespace: TestNamespace;
let db: Db;
let deps: Dependencies;
let clock: ManualClock;
let disconnect: () => Promise<void>;
let outbox: ReturnType<typeof createOutbox>;

beforeAll(async () => {
  namespace = testNamespace('opt-out-steps');
  const options = mongoOptions(namespace, 'profiles');
  const mongo = await connectMongo(options);
  ({ db } = mongo);
  disconnect = mongo.close;
  await ensureCollections(db, collections);
  outbox = createOutbox(db);
  deps = {
    siteUrl: 'https://site.example',
    technologies: createTechnologyIndex([], 'https://site.example'),
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
  clock = new ManualClock(Date.UTC(2026, 5, 1));
  deps = { ...deps, clock };
  for (const name of Object.keys(collections)) await db.collection(name).deleteMany({});
});
afterAll(async () => {
  await disconnect?.();
  await namespace?.cleanup();
});

const merge = (domain: string, sequence: number, by = deps) =>
  mergeObservations(by, [
    { event: observed(domain, sequence, { technologies: [sighting('custom-theme')] }), origin },
  ]).then(([result]) => result);
const change = (subject: string, isInForce: boolean, atMs: number) =>
  applyOptOut(deps, { subject, isInForce, changedAt: new Date(atMs) }, origin);
const removeAll = async (by = deps) => {
  while (await removeStores(by, sizes));
};
const bodies = async () =>
  (await db.collection('store_bodies').find().sort({ _id: 1 }).toArray()).map(({ _id }) => String(_id));
const updates = async () =>
  (await outbox.collection.find().sort({ sequence: 1 }).toArray()).map(({ value }) =>
    profileUpdated.live.decode(value instanceof Uint8Array ? value : value.value()),
  );

/** A gate at which a transaction waits until the test opens it. */
function gate() {
  const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = async () => {
    arrived.resolve();
    await opened.promise;
  };
  return { pass, arrived: arrived.promise, open: opened.resolve };
}

/** Dependencies whose next read of opt-outs waits at the gate, after it has read. */
function pausedAfterRead(pass: () => Promise<void>): Dependencies {
  let isFirst = true;
  const covered: typeof deps.optOuts.covered = async (domains, tx) => {
    const found = await deps.optOuts.covered(domains, tx);
    if (isFirst) {
      isFirst = false;
      await pass();
    }
    return found;
  };
  return { ...deps, optOuts: { ...deps.optOuts, covered } };
}

describe('the removal of opted-out stores', () => {
  it.each([
    ['a known store', async () => void (await merge('shop.example', 1)), 2],
    ['a new store', async () => {}, 1],
    [
      'a store that was removed before',
      async () => {
        await merge('shop.example', 1);
        await change('shop.example', true, 1);
        await removeAll();
        await change('shop.example', false, 2);
      },
      5,
    ],
  ])('a merge of %s that has not seen the opt-out does not bring it back', async (_, begin, sequence) => {
    await begin();
    const { pass, arrived, open } = gate();
    const merging = merge('shop.example', sequence, pausedAfterRead(pass));
    await arrived;
    await change('shop.example', true, 10);
    await removeAll();
    open();
    expect(await merging.catch(() => merge('shop.example', sequence))).toMatchObject({ reason: 'opted_out' });
    expect(await bodies()).toEqual([]);
  });

  it('a first observation below a suffix whose transaction has not seen the opt-out is removed by the last walk', async () => {
    const { pass, arrived, open } = gate();
    const merging = merge('new.github.io', 1, pausedAfterRead(pass));
    await arrived;
    await change('github.io', true, 10);
    await removeAll();
    open();
    expect(await merging).toMatchObject({ result: 'merged' });
    clock.advance(lateWalkMs - 1);
    await removeAll();
    expect(await bodies()).toEqual(['new.github.io']);
    clock.advance(1);
    await removeAll();
    expect(await bodies()).toEqual([]);
    expect(await removeStores(deps)).toBe(false);
  });

  it('a walk with more stores than a step and a transaction have removes each of them once', async () => {
    const stores = Array.from({ length: 11 }, (_, n) => `shop-${n}.github.io`);
    for (const domain of [...stores, 'other.example']) await merge(domain, 1);
    await change('github.io', true, 10);
    await removeAll();
    clock.advance(lateWalkMs);
    await removeAll();
    expect(await bodies()).toEqual(['other.example']);
    const removed = (await updates()).filter(({ outcome }) => outcome === MergeOutcome.REMOVED);
    expect(removed.map(({ domain }) => domain).sort()).toEqual([...stores, 'github.io'].sort());
    expect(removed.filter(({ domain }) => domain !== 'github.io').every((each) => each.profileSequence === 2)).toBe(
      true,
    );
  });

  it('a store with more observations than one command deletes keeps none of them', async () => {
    await merge('shop.example', 1);
    const [sample] = await db.collection('observations').find().toArray();
    const more = Array.from({ length: 2_500 }, (_, n) => ({ ...sample, _id: `scan-${n}` as never }));
    await db.collection('observations').insertMany(more);
    await change('shop.example', true, 10);
    await removeAll();
    expect(await db.collection('observations').countDocuments()).toBe(0);
  });

  it.each(['claim', 'deleteSome', 'remove', 'delete', 'appendEvents', 'commit', 'move'])(
    'an instance that is killed at %s leaves whole stores, and another one ends the removal after its claim',
    async (at) => {
      for (const n of [1, 2, 3]) await merge(`shop-${n}.github.io`, 1);
      await change('github.io', true, 10);
      const killed = () => Promise.reject(new Error('killed'));
      const dying: Dependencies = {
        ...deps,
        optOuts: {
          ...deps.optOuts,
          ...(at === 'claim' && { claim: async (...args) => deps.optOuts.claim(...args).then(killed) }),
          ...(at === 'move' && { move: killed }),
        },
        observations: { ...deps.observations, ...(at === 'deleteSome' && { deleteSome: killed }) },
        stores: { ...deps.stores, ...(at === 'remove' && { remove: killed }) },
        signals: { ...deps.signals, ...(at === 'delete' && { delete: killed }) },
        ...(at === 'appendEvents' && { appendEvents: killed }),
        ...(at === 'commit' && { transact: (work) => deps.transact(async (tx) => work(tx).then(killed)) }),
      };
      // The first step removes the subject only.
      await removeStores(deps, sizes);
      await expect(removeAll(dying)).rejects.toThrow('killed');
      const [stores, shown] = [
        await db.collection('stores').countDocuments({ removedAt: { $exists: false } }),
        await bodies(),
      ];
      expect(shown).toHaveLength(stores);
      await removeAll();
      expect(await bodies()).toEqual(shown);
      clock.advance(claimMs);
      await removeAll();
      expect(await bodies()).toEqual([]);
      expect(await db.collection('signals').countDocuments()).toBe(0);
    },
  );

  it('a removal that is under way when its opt-out is withdrawn removes nothing afterwards', async () => {
    await merge('shop.example', 1);
    await change('shop.example', true, 10);
    const claim: typeof deps.optOuts.claim = async (...args) => {
      const claimed = await deps.optOuts.claim(...args);
      await change('shop.example', false, 20);
      await merge('shop.example', 2);
      return claimed;
    };
    await removeStores({ ...deps, optOuts: { ...deps.optOuts, claim } }, sizes);
    expect(await bodies()).toEqual(['shop.example']);
  });

  const domains = ['a.example', 'b.github.io', 'c.github.io'];
  const subjects = ['a.example', 'github.io', 'c.github.io'];
  const action = fc.oneof(
    fc.record({ kind: fc.constant('merge' as const), on: fc.nat(2), ahead: fc.integer({ min: -2, max: 3 }) }),
    fc.record({
      kind: fc.constant('change' as const),
      on: fc.nat(2),
      isInForce: fc.boolean(),
      isRepeated: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('step' as const), isKilled: fc.boolean() }),
  );

  it('after any history, an opted-out store is not shown, and the sequences of updates that change a store ascend', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        for (const name of Object.keys(collections)) await db.collection(name).deleteMany({});
        const inForce = new Map<string, boolean>();
        const changedAt = new Map<string, number>();
        let atMs = 0;
        const latest = new Map<string, number>();
        for (const each of actions) {
          if (each.kind === 'merge') {
            const domain = domains[each.on] as string;
            const sequence = Math.max(1, (latest.get(domain) ?? 0) + each.ahead);
            latest.set(domain, Math.max(sequence, latest.get(domain) ?? 0));
            await merge(domain, sequence);
          } else if (each.kind === 'change') {
            const subject = subjects[each.on] as string;
            const earlier = changedAt.get(subject);
            if (each.isRepeated && earlier !== undefined) await change(subject, each.isInForce, earlier);
            else {
              await change(subject, each.isInForce, ++atMs);
              changedAt.set(subject, atMs);
              inForce.set(subject, each.isInForce);
            }
          } else {
            const move = () => Promise.reject(new Error('killed'));
            const by = each.isKilled ? { ...deps, optOuts: { ...deps.optOuts, move } } : deps;
            await removeStores(by, sizes).catch(() => clock.advance(claimMs));
          }
        }
        clock.advance(claimMs);
        await removeAll();
        clock.advance(lateWalkMs);
        await removeAll();
        const covered = (domain: string) =>
          subjects.some((name) => inForce.get(name) && (domain === name || domain.endsWith(`.${name}`)));
        const shown = await bodies();
        expect(shown.filter(covered)).toEqual([]);
        const changing = (await updates()).filter(({ outcome }) => outcome !== MergeOutcome.REJECTED);
        for (const domain of domains) {
          const own = changing.filter((update) => update.domain === domain);
          const sequences = own.map(({ profileSequence }) => profileSequence);
          expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
          expect(shown.includes(domain)).toBe(own.at(-1)?.outcome === MergeOutcome.MERGED);
        }
      }),
      { numRuns: 12 },
    );
  });
});
