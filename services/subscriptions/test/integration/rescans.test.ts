import { dayMs, hourMs, minuteMs, periodAt } from '@shopscope/clock';
import { JobState } from '@shopscope/proto';
import { isNightly, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forecastOf } from '../../src/domain/rescans.ts';
import { addStores } from '../../src/operations/add-stores.ts';
import { deleteGroup } from '../../src/operations/delete-group.ts';
import { watchlistsOf } from '../../src/operations/group-kinds.ts';
import { removeStores } from '../../src/operations/remove-stores.ts';
import { recordRescanEnds, recordSuccesses } from '../../src/operations/rescans/record-rescan-ends.ts';
import { stopRescansOfKey } from '../../src/operations/rescans/stop-rescans-of-key.ts';
import { newWorkspaceId, plenty } from './harness.ts';
import { context, type RescanHarness, startRescanHarness } from './rescan-harness.ts';

describe('rescans', () => {
  const namespace = testNamespace('rescans');
  // A future time, because MongoDB deletes rescans by its own clock.
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

  it('each store is rescanned once in an interval, evenly, and the key that set the interval is billed', async () => {
    const watched = await harness.watch(8);
    const perTurn: number[] = [];
    for (let turn = 0; turn < 8; turn++) {
      const before = harness.peers.billed(watched.workspaceId);
      await harness.pass(3 * hourMs);
      perTurn.push(harness.peers.billed(watched.workspaceId) - before);
    }
    expect(perTurn).toEqual(Array(8).fill(1));
    expect(harness.peers.requested.map(({ domain }) => domain).toSorted()).toEqual(watched.domains);
    const charges = [...harness.peers.charges.values()];
    expect(new Set(charges.map(({ keyId }) => keyId))).toEqual(new Set([watched.keyId]));
    expect(new Set(charges.map(({ operation }) => operation))).toEqual(new Set(['rescanStore']));
  });

  it('no store is rescanned more often than the freshness of the current plan allows', async () => {
    const watched = await harness.watch(8);
    harness.peers.freshnessDays = 4;
    await harness.pass(4 * dayMs);
    const billed = harness.peers.billed(watched.workspaceId);
    // The first turn was set by the interval of one day.
    expect([8, 9]).toContain(billed);
  });

  it('two instances never exceed a budget by one unit, and the budget is full again in the next period', async () => {
    const budget = isNightly ? 30 : 10;
    const watched = await harness.watch(200, { budget });
    const second = harness.instance();
    const pass = (untilMs: number) => harness.pass(untilMs - harness.clock.now(), { of: [harness.deps, second] });
    const { endMs } = periodAt(start);
    await pass(endMs - minuteMs);
    expect(harness.peers.billed(watched.workspaceId)).toBe(budget);
    expect(await watched.get()).toMatchObject({ rescans: { paused: 'budget_exhausted', taken: budget, turn: budget } });
    expect(await harness.eventsOf(watched.workspaceId)).toEqual(['watchlist.rescans_paused budget_exhausted']);
    await pass(endMs);
    expect(await watched.get()).toMatchObject({ rescans: { paused: null } });
    expect((await harness.eventsOf(watched.workspaceId)).at(-1)).toBe('watchlist.rescans_resumed');
    await pass(endMs + (90 / budget) * dayMs);
    expect(harness.peers.billed(watched.workspaceId)).toBe(budget + 3);
  });

  it('with a budget, the store with the oldest observation is the next one, even if others scan stores meanwhile', async () => {
    const watched = await harness.watch(40, { budget: 4 });
    for (const [n, domain] of watched.domains.entries())
      harness.peers.observations.set(domain, start - (n + 1) * dayMs);
    const [newest, , , oldest] = [watched.domains[0], 1, 2, watched.domains[39]];
    await harness.pass(6 * dayMs);
    expect(harness.peers.requested.map(({ domain }) => domain)).toEqual([oldest]);
    // Another workspace asks for a scan of the store that would be the next one.
    harness.peers.observations.set(watched.domains[38] ?? '', harness.clock.now());
    await harness.pass(8 * dayMs);
    expect(harness.peers.requested.map(({ domain }) => domain)).toEqual([oldest, watched.domains[37]]);
    expect(harness.peers.requested.map(({ domain }) => domain)).not.toContain(newest);
  });

  it('a spent allowance pauses rescans until it returns, and the refused stores keep their places', async () => {
    const watched = await harness.watch(24);
    harness.peers.allowances.set(watched.workspaceId, 3);
    await harness.pass(6 * hourMs);
    expect(harness.peers.billed(watched.workspaceId)).toBe(3);
    const paused = await watched.get();
    expect(paused).toMatchObject({ rescans: { paused: 'allowance_exhausted' } });
    expect(forecastOf(paused, new Date(harness.clock.now()))).toBe(0);
    expect([...harness.peers.jobs.values()]).toHaveLength(3);
    harness.peers.allowances.set(watched.workspaceId, 1_000);
    harness.clock.setWall(periodAt(start).endMs);
    await harness.pass(2 * hourMs);
    expect(await watched.get()).toMatchObject({ rescans: { paused: null } });
    expect(await harness.eventsOf(watched.workspaceId)).toEqual([
      'watchlist.rescans_paused allowance_exhausted',
      'watchlist.rescans_resumed',
    ]);
    expect(harness.peers.requested[3]?.domain).toBe(watched.domains[3]);
  });

  it.each(['refused', 'joined'])(
    'a pause for a spent allowance ends in the next period if a smaller budget gets a unit back meanwhile (%s)',
    async (how) => {
      const watched = await harness.watch(24, { budget: 1_000 });
      const { workspaceId, domains } = watched;
      const [domain = ''] = domains;
      harness.peers.unclaimable.add(domain);
      harness.peers.allowances.set(workspaceId, 0);
      await harness.pass(2 * hourMs);
      expect((await watched.get()).rescans).toMatchObject({ paused: 'allowance_exhausted', taken: 1 });
      await watched.update({ rescans: { interval: undefined, budget: { refreshRequested: 1 }, keyId: '' } });
      harness.peers.unclaimable.clear();
      const explicit = { id: 'job_explicit', workspaceId, domain, chargeId: 'chg_explicit' };
      if (how === 'joined') {
        harness.peers.jobs.set(explicit.id, { ...explicit, state: JobState.QUEUED, refunded: false });
      }
      await harness.pass(hourMs);
      const { endMs } = periodAt(start);
      const nextAt = new Date(endMs);
      expect((await watched.get()).rescans).toMatchObject({ paused: 'allowance_exhausted', taken: 0, nextAt });
      harness.peers.allowances.clear();
      await harness.pass(endMs + 20 * dayMs - harness.clock.now());
      expect(harness.peers.billed(workspaceId)).toBe(1);
      expect((await harness.eventsOf(workspaceId)).slice(0, 2)).toEqual([
        'watchlist.rescans_paused allowance_exhausted',
        'watchlist.rescans_resumed',
      ]);
    },
  );

  it.each(['added', 'removed'] as const)(
    'rescans that pause or continue because stores are %s append their events',
    async (change) => {
      const watched = await harness.watch(24, { budget: 1 });
      const { id, tenant, workspaceId, domains } = watched;
      const kind = watchlistsOf(harness.deps);
      const resize = (n: number) => {
        const domain = change === 'added' ? `more-${n}.com` : (domains[n] ?? '');
        return change === 'added'
          ? addStores(harness.deps, kind, tenant, { id, stores: [{ domain }], quota: plenty }, context())
          : removeStores(harness.deps, kind, tenant, { id, domains: [domain] }, context());
      };
      harness.peers.outages.add('scheduler');
      await harness.pass(15 * dayMs + 13 * hourMs);
      expect((await watched.get()).rescans).toMatchObject({ paused: null, taken: 1 });
      await resize(22);
      const paused = 'watchlist.rescans_paused budget_exhausted';
      expect((await watched.get()).rescans).toMatchObject({ paused: 'budget_exhausted' });
      expect(await harness.eventsOf(workspaceId)).toEqual([paused]);
      // The next period begins, and the timer does not visit.
      harness.clock.setWall(periodAt(start).endMs + minuteMs);
      await resize(23);
      expect((await watched.get()).rescans).toMatchObject({ paused: null, taken: 0 });
      expect(await harness.eventsOf(workspaceId)).toEqual([paused, 'watchlist.rescans_resumed']);
    },
  );

  it.each(['revoked', 'expired', 'without the scope', 'revoked, by its event'])(
    'a key that is %s pauses rescans until another key sets the interval',
    async (how) => {
      const watched = await harness.watch(24);
      await harness.pass(3 * hourMs);
      const billed = harness.peers.billed(watched.workspaceId);
      const key = harness.peers.keys.get(watched.keyId);
      if (!key) throw new Error('the key is missing');
      if (how === 'revoked') key.revoked = true;
      if (how === 'expired') key.expiresAtMs = harness.clock.now();
      if (how === 'without the scope') key.scopes = ['write:watchlists'];
      if (how.endsWith('event')) await stopRescansOfKey(harness.deps, watched.tenant, watched.keyId, context());
      await harness.pass(2 * dayMs);
      expect(harness.peers.billed(watched.workspaceId)).toBe(billed);
      expect(await watched.get()).toMatchObject({ state: 'active', rescans: { paused: 'key_revoked' } });
      const keyId = harness.newKey();
      await watched.update({ rescans: { interval: { days: 1 }, budget: undefined, keyId } });
      await harness.pass(3 * hourMs);
      expect(harness.peers.billed(watched.workspaceId)).toBeGreaterThan(billed);
      expect([...harness.peers.charges.values()].at(-1)?.keyId).toBe(keyId);
      expect(await harness.eventsOf(watched.workspaceId)).toEqual([
        'watchlist.rescans_paused key_revoked',
        'watchlist.rescans_resumed',
      ]);
    },
  );

  it('a key that expires pauses rescans at that time, however far the next turn is', async () => {
    const keyId = harness.newKey();
    const watched = await harness.watch(1, { days: 30, keyId });
    const key = harness.peers.keys.get(keyId);
    if (key) key.expiresAtMs = start + 2 * dayMs;
    await harness.run();
    await harness.pass(2 * dayMs + hourMs);
    expect(await watched.get()).toMatchObject({ rescans: { paused: 'key_revoked' } });
  });

  it('pausing and resuming a watchlist append one event each, and a paused watchlist has no rescans', async () => {
    const watched = await harness.watch(24);
    await watched.update({ state: 'paused' });
    await watched.update({ state: 'paused' });
    await harness.pass(2 * dayMs);
    expect(harness.peers.billed(watched.workspaceId)).toBe(0);
    await watched.update({ state: 'active' });
    await harness.pass(3 * hourMs);
    expect(harness.peers.billed(watched.workspaceId)).toBeGreaterThan(0);
    expect(await harness.eventsOf(watched.workspaceId)).toEqual(['watchlist.paused', 'watchlist.resumed']);
  });

  it('a suspended workspace has no rescans, and continues after its suspension without an event', async () => {
    const watched = await harness.watch(24);
    harness.peers.suspended.add(watched.workspaceId);
    await harness.pass(6 * hourMs);
    expect(harness.peers.billed(watched.workspaceId)).toBe(0);
    harness.peers.suspended.clear();
    await harness.pass(3 * hourMs);
    expect(harness.peers.billed(watched.workspaceId)).toBeGreaterThan(0);
    expect(await harness.eventsOf(watched.workspaceId)).toEqual([]);
  });

  it('a scan in flight is joined, which is free, and the unit returns to the budget', async () => {
    const watched = await harness.watch(24, { budget: 10 });
    for (const [n, domain] of watched.domains.entries()) {
      const job = { id: `job_other_${n}`, workspaceId: watched.workspaceId, domain, chargeId: 'chg_explicit' };
      harness.peers.jobs.set(job.id, { ...job, state: JobState.QUEUED, refunded: false, attempts: 0 });
    }
    await harness.pass(10 * dayMs);
    expect(harness.peers.charges.size).toBe(0);
    expect(await watched.get()).toMatchObject({ rescans: { taken: 0, paused: null } });
    expect((await watched.get()).rescans.turn).toBeGreaterThan(2);
  });

  it('a store whose last three scans failed for one reason is asked every 30 days at most, until one succeeds', async () => {
    const watched = await harness.watch(1, { days: 10 });
    const endAll = async (code: string | null) => {
      const ended = harness.peers.endJobs();
      const endedAt = new Date(harness.clock.now());
      const ends = ended.map(({ id, domain }) => {
        return { jobId: id, failure: code === null ? null : { domain, code, scanId: `scan_${id}`, endedAt } };
      });
      await recordRescanEnds(harness.deps, watched.tenant, ends, context().deadline);
      // The event arrives again.
      await recordRescanEnds(harness.deps, watched.tenant, ends, context().deadline);
      const merged = code === null ? ended.map(({ domain }) => ({ workspaceId: '', domain, at: endedAt })) : [];
      await recordSuccesses(harness.deps, merged, context().deadline);
      return ended.length;
    };
    const askedIn = async (days: number, failureCode: string | null) => {
      let asked = 0;
      const after = async () => {
        harness.clock.advance(minuteMs);
        asked += await endAll(failureCode);
      };
      await harness.pass(days * dayMs, { after });
      return asked;
    };
    expect(await askedIn(20, 'blocked')).toBe(2);
    // Another reason begins a new count.
    expect(await askedIn(10, 'timed_out')).toBe(1);
    expect(await askedIn(30, 'blocked')).toBe(3);
    expect(await askedIn(30, 'blocked')).toBe(0);
    expect(await askedIn(20, 'blocked')).toBe(1);
    expect(await askedIn(20, null)).toBe(0);
    expect(await askedIn(30, null)).toBe(3);
  });

  it('a removed store and a deleted watchlist withdraw the rescans that have not begun, and their units return', async () => {
    const watched = await harness.watch(24, { budget: 20 });
    await harness.pass(10 * dayMs);
    const [first, second, third] = [...harness.peers.jobs.values()];
    if (!first || !second || !third) throw new Error('three jobs are needed');
    second.state = JobState.RUNNING;
    const { taken } = (await watched.get()).rescans;
    const removed = { id: watched.id, domains: [first.domain, second.domain] };
    await removeStores(harness.deps, watchlistsOf(harness.deps), watched.tenant, removed, context());
    await harness.run();
    expect([first.state, second.state, third.state]).toEqual([JobState.CANCELED, JobState.RUNNING, JobState.QUEUED]);
    expect((await watched.get()).rescans.taken).toBe(taken - 1);
    await deleteGroup(harness.deps, watchlistsOf(harness.deps), watched.tenant, watched.id, context());
    await harness.pass(2 * dayMs);
    expect(second.state).toBe(JobState.RUNNING);
    const others = [...harness.peers.jobs.values()].filter((job) => job !== second);
    expect(new Set(others.map(({ state }) => state))).toEqual(new Set([JobState.CANCELED]));
    expect(await harness.db.collection('rescans').countDocuments({})).toBe(0);
  });

  it('a scan that another watchlist waits for is not withdrawn', async () => {
    const workspaceId = newWorkspaceId();
    const one = await harness.watch(1, { workspaceId });
    await harness.pass(dayMs);
    const other = await harness.watch(1, { workspaceId });
    await harness.pass(dayMs);
    const [job] = [...harness.peers.jobs.values()];
    expect(harness.peers.jobs.size).toBe(1);
    await deleteGroup(harness.deps, watchlistsOf(harness.deps), one.tenant, one.id, context());
    await harness.run();
    expect(job?.state).toBe(JobState.QUEUED);
    expect(await other.get()).toMatchObject({ rescans: { paused: null } });
  });

  it('workspaces take turns: one with thousands of due rescans does not delay the first rescan of another', async () => {
    const large = newWorkspaceId();
    for (let n = 0; n < 3; n++) await harness.watch(1_000, { workspaceId: large, prefix: `large-${n}` });
    const small = await harness.watch(1);
    harness.clock.advance(13 * hourMs);
    await harness.run();
    const order = harness.peers.requested.map(({ workspaceId }) => workspaceId);
    expect(order.filter((id) => id === large).length).toBeGreaterThan(100);
    // Each visit has 20 turns. The visits of the large workspace that began at the same time come first.
    expect(order.indexOf(small.workspaceId)).toBeGreaterThanOrEqual(0);
    expect(order.indexOf(small.workspaceId)).toBeLessThan(40);
  });

  it('workspaces take turns: one with late rescans comes after another whose first one is less late', async () => {
    const large = newWorkspaceId();
    for (let n = 0; n < 3; n++) await harness.watch(1_000, { workspaceId: large, prefix: `large-${n}` });
    harness.clock.advance(15 * 60_000);
    const small = await harness.watch(1);
    harness.clock.advance(13 * hourMs);
    await harness.run();
    const order = harness.peers.requested.map(({ workspaceId }) => workspaceId);
    expect(order.filter((id) => id === large).length).toBeGreaterThan(100);
    expect(order.indexOf(small.workspaceId)).toBeLessThan(40);
  });

  it('rescans that pause leave the watchlist active, so that its signals continue', async () => {
    const watched = await harness.watch(3, { budget: 0 });
    expect(await watched.get()).toMatchObject({ state: 'active', rescans: { paused: 'budget_exhausted' } });
    await stopRescansOfKey(harness.deps, watched.tenant, watched.keyId, context());
    expect(await watched.get()).toMatchObject({ state: 'active', rescans: { paused: 'key_revoked' } });
  });
});
