import { dayMs, hourMs, minuteMs, periodAt } from '@shopscope/clock';
import { JobState } from '@shopscope/proto';
import { nightlyUnless, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteGroup } from '../../src/operations/delete-group.ts';
import { watchlistsOf } from '../../src/operations/group-kinds.ts';
import { removeStores } from '../../src/operations/remove-stores.ts';
import { context, type RescanHarness, startRescanHarness } from './rescan-harness.ts';

type Watched = Awaited<ReturnType<RescanHarness['watch']>>;

describe('rescans that wait for an outage', () => {
  const namespace = testNamespace('rescan-outages');
  // A time to come, because MongoDB deletes rescans by its own clock.
  const start = Date.UTC(new Date().getUTCFullYear() + 1, 2, 1);
  let harness: RescanHarness;
  beforeAll(async () => {
    harness = await startRescanHarness(namespace, start);
  });
  beforeEach(() => harness.reset(start));
  afterAll(async () => {
    await harness?.stop();
    await namespace.cleanup();
  });
  const rescans = () => harness.db.collection('rescans').find({}).toArray();
  const setInterval = (days: number | undefined, keyId = '') => ({ interval: { days }, budget: undefined, keyId });

  const stops = {
    'its watchlist is paused': (watched: Watched) => watched.update({ state: 'paused' }),
    'rescans are switched off': (watched: Watched) => watched.update({ rescans: setInterval(undefined) }),
    'its store is removed': ({ id, tenant, domains }: Watched) =>
      removeStores(harness.deps, watchlistsOf(harness.deps), tenant, { id, domains }, context()),
    'its watchlist is deleted': ({ id, tenant }: Watched) =>
      deleteGroup(harness.deps, watchlistsOf(harness.deps), tenant, id, context()),
  };

  it.each(
    Object.entries(stops).flatMap(([name, stop]) => [
      { name, stop, outage: 'scheduler' as const, has: 'no job yet', jobId: null },
      { name, stop, outage: 'requests' as const, has: 'a job that is not requested', jobId: expect.any(String) },
    ]),
  )('a rescan that has $has is not billed after $name', async ({ stop, outage, jobId }) => {
    const watched = await harness.watch(24);
    harness.peers.outages.add(outage);
    await harness.pass(hourMs);
    expect(await rescans()).toMatchObject([{ state: 'started', jobId, domain: watched.domains[0] }]);
    await stop(watched);
    harness.peers.outages.clear();
    await harness.pass(2 * hourMs);
    expect(await rescans()).toEqual([]);
    expect(harness.peers.billed(watched.workspaceId)).toBe(0);
    expect([harness.peers.requested, [...harness.peers.jobs]]).toEqual([[], []]);
  });

  it.each(['paused', 'off'])('a store whose rescan was canceled keeps its place and its unit (%s)', async (how) => {
    const watched = await harness.watch(24);
    harness.peers.outages.add('scheduler');
    await harness.pass(hourMs);
    const isPaused = how === 'paused';
    await watched.update(isPaused ? { state: 'paused' } : { rescans: setInterval(undefined) });
    harness.peers.outages.clear();
    await harness.run();
    expect((await watched.get()).rescans.taken).toBe(0);
    await watched.update(isPaused ? { state: 'active' } : { rescans: setInterval(1, watched.keyId) });
    await harness.pass(hourMs);
    expect(harness.peers.requested.map(({ domain }) => domain)).toEqual([watched.domains[0]]);
  });

  it.each(['first', 'later'])(
    'no unit that is unbilled when the watchlist pauses during the %s execution is billed later',
    async (which) => {
      const watched = await harness.watch(24);
      if (which === 'later') {
        harness.peers.outages.add('requests');
        await harness.pass(hourMs);
        expect(await rescans()).toMatchObject([{ state: 'started', jobId: expect.any(String) }]);
        harness.peers.outages.clear();
      }
      harness.peers.onReserved = async () => void (await watched.update({ state: 'paused' }));
      await harness.pass(2 * hourMs);
      expect(harness.peers.billed(watched.workspaceId)).toBe(0);
      expect(harness.peers.requested).toEqual([]);
      expect(harness.peers.liveJob(watched.workspaceId, watched.domains[0] ?? '')).toBeUndefined();
      expect([await rescans(), (await watched.get()).rescans.taken]).toEqual([[], 0]);
    },
  );

  it.each([JobState.QUEUED, JobState.RUNNING])(
    'a rescan that was billed before a pause ends as billed, and its unit returns unless its scan has begun (%s)',
    async (state) => {
      const watched = await harness.watch(24);
      // The instance is killed before it saves the end of its execution.
      const { deps } = harness;
      const killed = { ...deps, rescans: { ...deps.rescans, set: () => Promise.reject(new Error('killed')) } };
      harness.clock.advance(hourMs);
      await harness.run(killed);
      const [job] = [...harness.peers.jobs.values()];
      if (job) job.state = state;
      expect(await rescans()).toMatchObject([{ state: 'started', jobId: job?.id }]);
      await watched.update({ state: 'paused' });
      await harness.pass(hourMs);
      expect(harness.peers.billed(watched.workspaceId)).toBe(1);
      expect(await rescans()).toEqual([]);
      const isRunning = state === JobState.RUNNING;
      expect(job).toMatchObject(isRunning ? { state, refunded: false } : { state: JobState.CANCELED, refunded: true });
      expect((await watched.get()).rescans.taken).toBe(isRunning ? 1 : 0);
    },
  );

  it('a rescan that was requested but not billed is not billed after a pause', async () => {
    const watched = await harness.watch(24);
    harness.peers.outages.add('usage');
    await harness.pass(hourMs);
    expect(new Set(harness.peers.requested.map(({ jobId }) => jobId)).size).toBe(1);
    await watched.update({ state: 'paused' });
    harness.peers.outages.clear();
    await harness.pass(hourMs);
    expect(harness.peers.billed(watched.workspaceId)).toBe(0);
    expect([await rescans(), (await watched.get()).rescans.taken]).toEqual([[], 0]);
  });

  it('a rescan that has no job yet gives its unit back if its key is revoked', async () => {
    const watched = await harness.watch(24, { budget: 1_000 });
    harness.peers.outages.add('scheduler');
    await harness.pass(hourMs);
    expect((await watched.get()).rescans.taken).toBe(1);
    const key = harness.peers.keys.get(watched.keyId);
    if (key) key.revoked = true;
    await harness.pass(2 * hourMs);
    expect((await watched.get()).rescans).toMatchObject({ paused: 'key_revoked', taken: 0 });
    expect(await rescans()).toEqual([]);
  });

  it('a rescan with a job that could not be requested for a day is left out, and its unit returns', async () => {
    const watched = await harness.watch(24);
    harness.peers.outages.add('requests');
    await harness.pass(hourMs);
    const [first] = await rescans();
    expect(first).toMatchObject({ state: 'started', jobId: expect.any(String) });
    harness.clock.advance(dayMs);
    await harness.run();
    const waiting = await rescans();
    expect(waiting.map(({ _id }) => _id)).not.toContain(first?._id);
    expect((await watched.get()).rescans.taken).toBe(waiting.length);
    expect(harness.peers.billed(watched.workspaceId)).toBe(0);
  });

  it.each([true, false])(
    'an execution that joins another scan keeps what an earlier one was billed for (billed: %s)',
    async (isBilled) => {
      const watched = await harness.watch(1);
      const [domain = ''] = watched.domains;
      if (!isBilled) harness.peers.outages.add('usage');
      // The instance is killed before it saves the end of its execution.
      const { deps } = harness;
      const killed = { ...deps, rescans: { ...deps.rescans, set: () => Promise.reject(new Error('killed')) } };
      harness.clock.advance(13 * hourMs);
      await harness.run(killed);
      const [own] = [...harness.peers.jobs.values()];
      expect(await rescans()).toMatchObject([{ state: 'started', jobId: own?.id }]);
      harness.peers.outages.clear();
      harness.peers.jobs.clear();
      const explicit = { id: 'job_explicit', workspaceId: watched.workspaceId, domain, chargeId: 'chg_explicit' };
      harness.peers.jobs.set(explicit.id, { ...explicit, state: JobState.QUEUED, refunded: false });
      await harness.pass(hourMs);
      const jobId = isBilled ? own?.id : explicit.id;
      expect(await rescans()).toMatchObject([{ state: 'requested', isBilled, jobId }]);
      expect(harness.peers.billed(watched.workspaceId)).toBe(isBilled ? 1 : 0);
      expect((await watched.get()).rescans.taken).toBe(isBilled ? 1 : 0);
    },
  );

  for (const called of ['scheduler', 'metering'] as const) {
    const title = `an outage of ${called} leaves few rescans waiting, and no burst follows it`;
    it(title, { ...nightlyUnless(called === 'metering'), timeout: 120_000 }, async () => {
      // 20 turns an hour.
      const watched = await harness.watch(480);
      await harness.pass(hourMs / 2);
      harness.peers.outages.add(called);
      await harness.pass(hourMs);
      const waiting = (await rescans()).filter(({ state }) => state === 'started');
      expect(waiting.length).toBeGreaterThan(0);
      expect(waiting.length).toBeLessThanOrEqual(4);
      harness.peers.outages.clear();
      const before = harness.peers.billed(watched.workspaceId);
      await harness.pass(hourMs);
      const billed = harness.peers.billed(watched.workspaceId) - before;
      expect(billed).toBeGreaterThan(12);
      expect(billed).toBeLessThanOrEqual(20 + waiting.length);
      expect((await rescans()).filter(({ state }) => state === 'started')).toEqual([]);
    });
  }

  it('a store for which no scan can be claimed does not stop the others, and its turn is left out after a day', async () => {
    const watched = await harness.watch(24, { budget: 1_000 });
    const [unclaimable = ''] = watched.domains;
    harness.peers.unclaimable.add(unclaimable);
    await harness.pass(dayMs);
    expect(harness.peers.requested.map(({ domain }) => domain).toSorted()).toEqual(watched.domains.slice(1));
    const ofStore = async () => (await rescans()).filter(({ domain }) => domain === unclaimable).map(({ _id }) => _id);
    const [first] = await ofStore();
    await harness.pass(2 * hourMs);
    // Its next turn has come. The store behind it has joined the scan of its first turn.
    expect(await ofStore()).toEqual([expect.any(String)]);
    expect(await ofStore()).not.toEqual([first]);
    expect((await watched.get()).rescans).toMatchObject({ taken: 24, turn: 26 });
  });

  for (const called of ['scheduler', 'usage'] as const) {
    const title = `rescans that wait over the end of a period are billed from the budget of the next period and not in addition to it (${called})`;
    it(title, { ...nightlyUnless(called === 'usage'), timeout: 120_000 }, async () => {
      const budget = 20;
      const watched = await harness.watch(400, { budget });
      const { endMs } = periodAt(start);
      await harness.pass(endMs - 39 * hourMs - harness.clock.now());
      const before = harness.peers.billed(watched.workspaceId);
      expect(before).toBeLessThan(budget);
      harness.peers.outages.add(called);
      await harness.pass(39 * hourMs + minuteMs);
      const waiting = (await rescans()).filter(({ state, startedAt }) => state === 'started' && +startedAt < endMs);
      expect(waiting.length).toBeGreaterThan(0);
      harness.peers.outages.clear();
      const next = periodAt(endMs);
      await harness.pass(next.endMs - minuteMs - harness.clock.now());
      expect(harness.peers.billed(watched.workspaceId) - before).toBe(budget);
      expect((await watched.get()).rescans).toMatchObject({ taken: budget, paused: 'budget_exhausted' });
      // Only those with a job go on.
      const goneOn = waiting.filter(({ _id }) => harness.peers.charges.has(String(_id)));
      expect(goneOn).toEqual(called === 'usage' ? waiting : []);
    });
  }
});
