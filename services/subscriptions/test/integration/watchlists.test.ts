import { dayMs } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { EventOrder, RescansPaused, signalTypes, WatchlistState } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  add,
  createHarness,
  domainsOf,
  nameOf,
  newList,
  newWatchlist,
  newWorkspaceId,
  noRescans,
  plenty,
  type RequestOf,
  type SubscriptionsClient,
  type SubscriptionsHarness,
  storesOf,
} from './harness.ts';

describe('watchlists', () => {
  let harness: SubscriptionsHarness;
  let client: SubscriptionsClient;
  let other: SubscriptionsClient;
  beforeAll(async () => {
    harness = await createHarness('watchlists');
    client = (await harness.start()).client;
    other = (await harness.start()).client;
  });
  afterAll(() => harness?.stop());

  type Watchlist = { workspaceId: string; watchlistId: string };
  const watchlistOf = async (workspaceId = newWorkspaceId()): Promise<Watchlist> => ({
    workspaceId,
    watchlistId: await newWatchlist(client, workspaceId),
  });
  const watch = (watchlist: Watchlist, domains: readonly string[], quota = plenty, by = client) =>
    by.addWatchlistStores({ ...watchlist, stores: storesOf(domains), quota });
  const unchanged = { name: undefined, signalTypes: undefined, technologies: undefined, ...noRescans };
  const update = async (watchlist: Watchlist, change: Partial<RequestOf<'updateWatchlist'>>) => {
    const request = { ...watchlist, ...unchanged, state: WatchlistState.UNSPECIFIED, ...change };
    return (await client.updateWatchlist(request)).watchlist;
  };

  it('a new watchlist is active, and has all signal types and technologies unless it is given some', async () => {
    const workspaceId = newWorkspaceId();
    const created = { workspaceId, name: 'Competitors', quota: 2, requestToken: '', ...noRescans };
    const { watchlist } = await client.createWatchlist({ ...created, signalTypes: [], technologies: [] });
    const members = { storeCount: 0, state: WatchlistState.ACTIVE, technologies: [] };
    expect(watchlist).toMatchObject({ id: expect.stringMatching(/^wl_/), ...members, signalTypes: [...signalTypes] });
    const chosen = { signalTypes: ['platform_changed', 'platform_changed'], technologies: ['klaviyo', 'klaviyo'] };
    const narrow = await client.createWatchlist({ ...created, ...chosen });
    expect(narrow.watchlist).toMatchObject({ signalTypes: ['platform_changed'], technologies: ['klaviyo'] });
    expect(await client.getWatchlist({ workspaceId, watchlistId: narrow.watchlist?.id ?? '' })).toEqual(narrow);
    await expect(newWatchlist(client, workspaceId, { quota: 2 })).rejects.toMatchObject({
      publicMessage: 'watchlists: the plan allows 2, the workspace uses 2, and this request would add 1',
    });
  });

  it('every response has the interval, the budget and the forecast of rescans, and an interval needs its key', async () => {
    const workspaceId = newWorkspaceId();
    const rescans = { rescanInterval: { days: 7 }, budget: { refreshRequested: 3 }, keyId: newId('key') };
    await expect(newWatchlist(client, workspaceId, { ...rescans, keyId: '' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const watchlist = { workspaceId, watchlistId: await newWatchlist(client, workspaceId, rescans) };
    const get = async () => (await client.getWatchlist(watchlist)).watchlist;
    const none = { nextRescanAtMs: undefined, forecastRefreshRequested: 0, rescansPaused: RescansPaused.UNSPECIFIED };
    expect(await get()).toMatchObject({ rescanIntervalDays: 7, budgetRefreshRequested: 3, ...none });
    await watch(watchlist, domainsOf(10));
    const halfPartMs = (16.5 * dayMs) / 3 / 2;
    const nextRescanAtMs = harness.clock.now() + halfPartMs;
    expect(await get()).toMatchObject({ nextRescanAtMs, forecastRefreshRequested: 3 });
    expect(await update(watchlist, { budget: { refreshRequested: 0 } })).toMatchObject({
      budgetRefreshRequested: 0,
      ...none,
      rescansPaused: RescansPaused.BUDGET_EXHAUSTED,
    });
    const { events } = await client.listEvents({
      workspaceId,
      afterSequence: undefined,
      types: [],
      watchlistId: watchlist.watchlistId,
      limit: 10,
      order: EventOrder.ASCENDING,
      waitMs: 0,
    });
    expect(events.map(({ type }) => type)).toEqual(['watchlist.rescans_paused']);
    const cleared = await update(watchlist, {
      rescanInterval: { days: undefined },
      budget: { refreshRequested: undefined },
    });
    expect(cleared).toMatchObject({ rescanIntervalDays: undefined, budgetRefreshRequested: undefined, ...none });
  });

  it('an update replaces the members that it names, whole, and no other', async () => {
    const watchlist = await watchlistOf();
    await update(watchlist, {
      technologies: { values: ['klaviyo', 'gorgias'] },
      signalTypes: { values: ['status_changed'] },
    });
    const paused = await update(watchlist, { state: WatchlistState.PAUSED });
    expect(paused).toMatchObject({
      state: WatchlistState.PAUSED,
      technologies: ['klaviyo', 'gorgias'],
      signalTypes: ['status_changed'],
    });
    const changed = await update(watchlist, { technologies: { values: [] }, name: 'Rivals' });
    expect(changed).toMatchObject({ state: WatchlistState.PAUSED, technologies: [], name: 'Rivals' });
  });

  it('an update without a member, or with the present values, leaves the watchlist, the time of its change and the next rescan as they are', async () => {
    const workspaceId = newWorkspaceId();
    const rescans = { rescanInterval: { days: 7 }, budget: { refreshRequested: 3 }, keyId: newId('key') };
    const watchlist = { workspaceId, watchlistId: await newWatchlist(client, workspaceId, rescans) };
    await watch(watchlist, domainsOf(10));
    const { watchlist: before } = await client.getWatchlist(watchlist);
    harness.clock.advance(1);
    const { name, signalTypes: types = [], technologies = [], state = WatchlistState.UNSPECIFIED } = before ?? {};
    const present = { name, signalTypes: { values: types }, technologies: { values: technologies }, state, ...rescans };
    for (const change of [{}, present, { state }, rescans]) {
      expect(await update(watchlist, change)).toEqual(before);
    }
    expect((await client.getWatchlist(watchlist)).watchlist).toEqual(before);
  });

  it('an update by which another key pays for the rescans moves the time of the change', async () => {
    const workspaceId = newWorkspaceId();
    const rescanInterval = { days: 7 };
    const watchlistId = await newWatchlist(client, workspaceId, { rescanInterval, keyId: newId('key') });
    harness.clock.advance(1_000);
    const changed = await update({ workspaceId, watchlistId }, { rescanInterval, keyId: newId('key') });
    expect(changed?.updatedAtMs).toBe(harness.clock.now());
  });

  it('unknown signal types, malformed technologies and unknown states are refused, and the message names the place', async () => {
    const watchlist = await watchlistOf();
    const cases: [Partial<RequestOf<'updateWatchlist'>>, RegExp][] = [
      [{ signalTypes: { values: ['status_changed', 'sold'] } }, /^signal_types\[1\]: /],
      [{ signalTypes: { values: [] } }, /^signal_types: /],
      [{ technologies: { values: ['klaviyo', 'No Slug'] } }, /^technologies\[1\]: /],
      [{ technologies: { values: Array(101).fill('klaviyo') } }, /^technologies: /],
      [{ state: 9 as WatchlistState }, /^state: /],
    ];
    for (const [change, message] of cases)
      await expect(update(watchlist, change)).rejects.toMatchObject({
        code: 'invalid_request',
        publicMessage: expect.stringMatching(message),
      });
    await expect(update(watchlist, { watchlistId: 'lst_1' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stores are added, listed by domain and removed as those of a list, and count towards quotas of their own', async () => {
    const watchlist = await watchlistOf();
    const { workspaceId } = watchlist;
    const list = { workspaceId, listId: await newList(client, workspaceId) };
    await add(client, list, storesOf(domainsOf(3)), 3);
    const { results } = await watch(watchlist, ['www.b.example', 'a.example', 'localhost'], 2);
    expect(results.map(({ outcome }) => nameOf(outcome))).toEqual(['added', 'added', 'invalid_domain']);
    await expect(watch(watchlist, ['c.example', 'a.example'], 2)).rejects.toMatchObject({
      publicMessage: 'watched_stores: the plan allows 2, the workspace uses 2, and this request would add 1',
    });
    const page = await client.listWatchlistStores({ ...watchlist, afterDomain: 'a.example', limit: 1 });
    expect([page.stores.map(({ domain }) => domain), page.hasMore]).toEqual([['b.example'], false]);
    const removed = await client.removeWatchlistStores({ ...watchlist, domains: ['a.example', 'z.example'] });
    expect(removed.results.map(({ outcome }) => nameOf(outcome))).toEqual(['removed', 'absent']);
    await client.removeWatchlistStore({ ...watchlist, domain: 'b.example' });
    expect((await client.getWatchlist(watchlist)).watchlist?.storeCount).toBe(0);
    expect((await client.getList(list)).list?.storeCount).toBe(3);
  });

  it('one store in the watchlists of several workspaces is found by its domain, with each watchlist once', async () => {
    const watchlists = await Promise.all([1, 2, 3].map(() => watchlistOf()));
    await Promise.all(watchlists.map((watchlist) => watch(watchlist, ['shared.example', 'shared.example'])));
    const collection = harness.db.collection('watched_stores');
    const query = collection.find({ domain: 'shared.example' });
    const found = await query.toArray();
    expect(found.map(({ watchlistId }) => watchlistId).sort()).toEqual(
      watchlists.map(({ watchlistId }) => watchlistId).sort(),
    );
    expect((await query.explain('executionStats')).executionStats.totalDocsExamined).toBe(3);
  });

  it('concurrent calls never exceed the quota of watched stores', async () => {
    const watchlist = await watchlistOf();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => watch(watchlist, domainsOf(10, `call-${n}`), 75, n % 2 ? client : other)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    expect((await client.getWatchlist(watchlist)).watchlist?.storeCount).toBe(70);
  });

  it('no call finds a deleted watchlist from then on, and the timer deletes its stores and no others', async () => {
    const [kept, watchlist] = [await watchlistOf(), await watchlistOf()];
    for (const each of [kept, watchlist]) await watch(each, domainsOf(20));
    await client.deleteWatchlist(watchlist);
    await expect(client.getWatchlist(watchlist)).rejects.toMatchObject({ code: 'not_found' });
    await expect(watch(watchlist, ['late.example'])).rejects.toMatchObject({ code: 'not_found' });
    const stored = ({ watchlistId }: Watchlist) =>
      harness.db.collection('watched_stores').countDocuments({ watchlistId });
    await waitUntil('the deletion of the stores', async () => {
      harness.clock.advance(1_000);
      return (await stored(watchlist)) === 0;
    });
    expect(await stored(kept)).toBe(20);
  });

  it('the pages of watchlists have the newest first', async () => {
    const workspaceId = newWorkspaceId();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      harness.clock.advance(1_000);
      ids.unshift(await newWatchlist(client, workspaceId));
    }
    const first = await client.listWatchlists({ workspaceId, afterId: '', limit: 2 });
    const second = await client.listWatchlists({ workspaceId, afterId: ids[1] ?? '', limit: 2 });
    expect([first, second].map(({ watchlists, hasMore }) => [watchlists.map(({ id }) => id), hasMore])).toEqual([
      [ids.slice(0, 2), true],
      [ids.slice(2), false],
    ]);
  });
});
