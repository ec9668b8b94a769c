import { callsPerCrash, crashMoments, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fanOutUpdates } from '../../src/operations/fan-out-updates.ts';
import { leaseMs, runFanOut } from '../../src/operations/run-fan-out.ts';
import { type EventHarness, sequencesOf, startEventHarness, upTo } from './event-harness.ts';
import { Ended, endingAt, updateOf, watch, workspacesOf } from './fan-out-harness.ts';

/** Small sizes, so that a few watchers are many. */
const sizes = { maxDirectWatchers: 2, pageSize: 4 };
const pageSize = 3;
const domain = 'shop.example';
const retraction = { atMs: 0, reason: 'technology_seen_again' };

describe('the fan-out of signals', () => {
  const namespace = testNamespace('fan-out');
  let harness: EventHarness;
  beforeAll(async () => {
    harness = await startEventHarness(namespace);
  });
  beforeEach(() => harness.reset());
  afterAll(async () => {
    await harness?.stop();
    await namespace.cleanup();
  });

  type Instance = EventHarness['deps'];
  const fanOut = (updates: ReturnType<typeof updateOf>[], deps: Instance = harness.deps, of = sizes) =>
    fanOutUpdates(deps, updates, of);
  /** Runs pages until none is ready. Resolves to their number. */
  const runPages = async (deps: Instance = harness.deps) => {
    let pages = 0;
    while (await runFanOut(deps, pageSize)) pages += 1;
    return pages;
  };
  const eventsOf = async (workspaceId: string) =>
    (await harness.stored(workspaceId)).map(({ _id, data }) => {
      const { id, watchlist_ids: watchlistIds, external_ids: externalIds } = JSON.parse(data);
      return { eventId: _id.split('/')[1], id, watchlistIds, externalIds };
    });
  const idsOf = async (workspaceId: string) => (await eventsOf(workspaceId)).map(({ id }) => id);
  const watchAll = (count: number, of = domain) =>
    watch(harness, ...workspacesOf(count).map((workspaceId) => ({ workspaceId, domain: of })));

  it('a store with few watchers has its events at once, and a store with many in pages', async () => {
    await watchAll(2, 'small.example');
    await watchAll(7, 'large.example');
    expect(await fanOut([updateOf('large.example', 'evt_large'), updateOf('small.example', 'evt_small')])).toBe(true);
    expect(await idsOf('ws_000000')).toEqual(['evt_small']);
    expect(await runPages()).toBe(4);
    for (const id of workspacesOf(7)) expect(await idsOf(id)).toContain('evt_large');
    expect(await harness.deps.fanOuts.count()).toBe(0);
  });

  it('each of many stores of a batch reaches its watchers, wherever a page of watchers ends', async () => {
    const counts = [0, 1, 2, 3, 4, 5, 1, 2, 2, 0, 9, 1];
    const domains = counts.map((_, n) => `shop-${String(n).padStart(2, '0')}.example`);
    for (const [n, count] of counts.entries()) if (count > 0) await watchAll(count, domains[n]);
    await fanOut(domains.toReversed().map((each) => updateOf(each, `evt_${each}`)));
    await runPages();
    for (const [index, workspaceId] of workspacesOf(9).entries()) {
      const expected = domains.filter((_, n) => (counts[n] as number) > index).map((each) => `evt_${each}`);
      expect(new Set(await idsOf(workspaceId))).toEqual(new Set(expected));
      expect(sequencesOf(await harness.stored(workspaceId))).toEqual(upTo(expected.length));
    }
  });

  it('a workspace whose watchlists would be in two pages has one event that names them all', async () => {
    const watchlist = (workspaceId: string, n: number) => ({
      workspaceId,
      domain,
      watchlistId: `wl_${workspaceId}_${n}`,
    });
    await watch(
      harness,
      ...upTo(2).map((n) => watchlist('ws_a', n)),
      ...upTo(2).map((n) => ({ ...watchlist('ws_b', n), externalId: `crm-${n}` })),
      // More than a page.
      ...upTo(8).map((n) => watchlist('ws_c', n)),
      watchlist('ws_d', 1),
    );
    await fanOut([updateOf(domain, 'evt_1')]);
    await runPages();
    for (const [workspaceId, count] of [
      ['ws_a', 2],
      ['ws_b', 2],
      ['ws_c', 8],
      ['ws_d', 1],
    ] as const) {
      const watchlistIds = upTo(count).map((n) => `wl_${workspaceId}_${n}`);
      expect((await eventsOf(workspaceId)).map((event) => event.watchlistIds)).toEqual([watchlistIds]);
    }
    expect((await eventsOf('ws_b'))[0]?.externalIds).toEqual(['crm-1', 'crm-2']);
  });

  it('a watchlist receives the signals of its types and technologies only', async () => {
    await watch(
      harness,
      { workspaceId: 'ws_type', domain, signalTypes: ['platform_changed'] },
      { workspaceId: 'ws_technology', domain, technologies: ['yotpo'] },
    );
    const added = { id: 'evt_klaviyo', over: {} };
    const yotpo = { id: 'evt_yotpo', over: { technology: 'yotpo' } };
    const platform = { id: 'evt_platform', over: { type: 'platform_changed', technology: 'shopify' } };
    await fanOut([updateOf(domain, added, yotpo, platform)]);
    expect(await idsOf('ws_type')).toEqual(['evt_platform']);
    expect(await idsOf('ws_technology')).toEqual(['evt_yotpo']);
  });

  it.each([
    ['few', 0],
    ['many', 5],
  ])(
    'a watchlist that is paused, is deleted or loses the store before the fan-out has no event (%s other watchers)',
    async (_, others) => {
      const changed = ['ws_x_deleted', 'ws_x_paused', 'ws_x_removed'];
      if (others > 0) await watchAll(others);
      const change = async () => {
        const watchlists = harness.db.collection<{ _id: string }>('watchlists');
        await watchlists.updateOne({ _id: 'wl_ws_x_deleted' }, { $set: { deletedAt: new Date() } });
        await watchlists.updateOne({ _id: 'wl_ws_x_paused' }, { $set: { state: 'paused' } });
        await harness.db.collection('watched_stores').deleteOne({ watchlistId: 'wl_ws_x_removed' });
      };
      await watch(harness, ...[...changed, 'ws_x_kept'].map((workspaceId) => ({ workspaceId, domain })));
      const isQueued = others > 0;
      if (!isQueued) await change();
      expect(await fanOut([updateOf(domain, 'evt_1')], harness.deps, { maxDirectWatchers: 5, pageSize: 7 })).toBe(
        isQueued,
      );
      if (isQueued) {
        await runFanOut(harness.deps, pageSize);
        await change();
      }
      await runPages();
      for (const workspaceId of changed) expect(await idsOf(workspaceId)).toEqual([]);
      expect(await idsOf('ws_x_kept')).toEqual(['evt_1']);
    },
  );

  it('the updates of a store keep their order, even when the store has few watchers again', async () => {
    await watchAll(5);
    const updates = [
      updateOf(domain, 'evt_1', 'evt_2'),
      updateOf(domain, { id: 'evt_1', over: { retraction } }, 'evt_3'),
    ];
    await fanOut(updates);
    await runFanOut(harness.deps, pageSize);
    await harness.db.collection('watched_stores').deleteMany({ workspaceId: { $gt: 'ws_000001' } });
    await fanOut([updateOf(domain, 'evt_4')]);
    expect(await idsOf('ws_000000')).toEqual(['evt_1', 'evt_2']);
    await runPages();
    expect(await idsOf('ws_000000')).toEqual(['evt_1', 'evt_2', 'evt_1', 'evt_3', 'evt_4']);
    await fanOut([updateOf(domain, 'evt_5')]);
    expect((await idsOf('ws_000000')).at(-1)).toBe('evt_5');
  });

  it('a topic that is read again adds no event', async () => {
    await watchAll(5);
    await watchAll(2, 'small.example');
    const topic = [
      updateOf(domain, 'evt_1'),
      updateOf('small.example', 'evt_2', 'evt_3'),
      updateOf(domain, { id: 'evt_1', over: { retraction } }),
    ];
    for (let delivery = 0; delivery < 3; delivery++) {
      await fanOut(topic);
      await fanOut(topic);
      await runPages();
    }
    expect((await idsOf('ws_000000')).toSorted()).toEqual(['evt_1', 'evt_1', 'evt_2', 'evt_3']);
    expect(await idsOf('ws_000004')).toEqual(['evt_1', 'evt_1']);
  });

  it('fan-outs take turns, so that a large one does not hold back the others', async () => {
    await watchAll(30, 'first.example');
    await fanOut([updateOf('first.example', 'evt_first')]);
    await runFanOut(harness.deps, pageSize);
    await watch(harness, ...upTo(3).map((n) => ({ workspaceId: `ws_x_${n}`, domain: 'second.example' })));
    await watch(harness, { workspaceId: 'ws_y', domain: 'third.example' });
    harness.clock.advance(1);
    await fanOut([updateOf('second.example', 'evt_second'), updateOf('third.example', 'evt_third')]);
    expect(await idsOf('ws_y')).toEqual(['evt_third']);
    for (let page = 0; page < 5; page++) {
      harness.clock.advance(1);
      await runFanOut(harness.deps, pageSize);
    }
    for (const n of upTo(3)) expect(await idsOf(`ws_x_${n}`)).toEqual(['evt_second']);
    expect(await idsOf('ws_000020')).toEqual([]);
    await runPages();
    expect(await idsOf('ws_000029')).toEqual(['evt_first']);
  });

  it('instances that run pages at the same time append each event once', async () => {
    const domains = upTo(4).map((n) => `shop-${n}.example`);
    for (const each of domains) await watchAll(20, each);
    const instances = upTo(3).map(() => harness.instanceIn('live'));
    const updates = domains.map((each) => updateOf(each, `evt_${each}_1`, `evt_${each}_2`));
    await Promise.all(instances.map((deps) => fanOut(updates, deps)));
    await Promise.all(instances.map(runPages));
    await runPages();
    for (const workspaceId of workspacesOf(20)) {
      expect(new Set(await idsOf(workspaceId)).size).toBe(8);
      expect(sequencesOf(await harness.stored(workspaceId))).toEqual(upTo(8));
    }
    expect(await harness.published()).toHaveLength(160);
  }, 60_000);

  it('an instance whose lease has ended changes no position of the instance that has claimed the fan-out after it', async () => {
    await watchAll(5);
    await fanOut([updateOf(domain, 'evt_1'), updateOf(domain, 'evt_2')]);
    const { fanOuts, clock } = harness.deps;
    const now = () => new Date(clock.now());
    const stale = await fanOuts.claim(now(), leaseMs, 10_000);
    expect(await fanOuts.claim(now(), leaseMs, 10_000)).toBeUndefined();
    harness.clock.advance(leaseMs);
    const claimed = await fanOuts.claim(now(), leaseMs, 10_000);
    if (!stale || !claimed) throw new Error('the fan-out was not claimed twice');
    await fanOuts.finish(stale, now(), 10_000);
    await fanOuts.release(stale, 'ws_000004', now(), 10_000);
    await fanOuts.release(claimed, claimed.afterWorkspaceId, now(), 10_000);
    await runPages();
    for (const workspaceId of workspacesOf(5)) expect(await idsOf(workspaceId)).toEqual(['evt_1', 'evt_2']);
  });

  it('a store has a bounded number of waiting updates, and the others stay in Kafka', async () => {
    await watchAll(5);
    const updates = upTo(20).map((n) => updateOf(domain, `evt_${n}`));
    // An update that arrives again takes no second place.
    for (const count of [15, 15, 20, 20]) await fanOut(updates.slice(0, count));
    await expect(fanOut([updateOf(domain, 'evt_21')])).rejects.toMatchObject({ code: 'unavailable' });
    await runPages();
    expect(await idsOf('ws_000004')).toEqual(upTo(20).map((n) => `evt_${n}`));
  });

  it('a page that fails is repeated after a second', async () => {
    await watchAll(5);
    await fanOut([updateOf(domain, 'evt_1')]);
    const failing = harness.instanceIn('live', {
      outbox: () => ({ appendMany: () => Promise.reject(new Error('the outbox fails')) }),
    });
    await expect(runFanOut(failing, pageSize)).rejects.toThrow('the outbox fails');
    expect(await runPages()).toBe(0);
    harness.clock.advance(1_000);
    await runPages();
    for (const workspaceId of workspacesOf(5)) expect(await idsOf(workspaceId)).toEqual(['evt_1']);
  });

  for (const { when, tags } of crashMoments) {
    const title = `a fan-out whose instance ends ${when} any call of the database is completed by another one, with each event once`;
    it(title, { tags, timeout: 240_000 }, async () => {
      const updates = [updateOf('small.example', 'evt_1'), updateOf(domain, 'evt_2', 'evt_3')];
      for (let calls = 1; ; calls += callsPerCrash) {
        await harness.reset();
        await watchAll(4);
        await watchAll(2, 'small.example');
        const dying = endingAt(harness, calls, when);
        const hasEnded = (error: unknown) => {
          if (!(error instanceof Ended)) throw error;
          return true;
        };
        const isDelivered = await fanOut(updates, dying.deps).then(
          () => true,
          (error) => !hasEnded(error),
        );
        await runPages(dying.deps).catch(hasEnded);
        // Kafka delivers a batch again if its handler has failed.
        if (!isDelivered) await fanOut(updates);
        harness.clock.advance(leaseMs);
        await runPages();
        expect((await idsOf('ws_000000')).toSorted()).toEqual(['evt_1', 'evt_2', 'evt_3']);
        for (const workspaceId of ['ws_000002', 'ws_000003']) {
          expect(await idsOf(workspaceId)).toEqual(['evt_2', 'evt_3']);
          expect(sequencesOf(await harness.stored(workspaceId))).toEqual([1, 2]);
        }
        expect(await harness.published()).toHaveLength(2 + 4 * 2);
        expect(await harness.deps.fanOuts.count()).toBe(0);
        if (!dying.hasEnded()) {
          expect(calls).toBeGreaterThan(25);
          return;
        }
      }
    });
  }
});
