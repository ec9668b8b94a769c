import { WatchlistState } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  add,
  createHarness,
  everyStore,
  newList,
  newWatchlist,
  newWorkspaceId,
  noRescans,
  plenty,
  type RequestOf,
  type Rpc,
  type SubscriptionsClient,
  type SubscriptionsHarness,
  storesOf,
} from './harness.ts';

type List = { workspaceId: string; listId: string };
type Watchlist = { workspaceId: string; watchlistId: string };

type ListDomainsRpc = Extract<Rpc, `${string}ListDomains`>;
type RpcOf<Noun extends 'List' | 'Watchlist'> = Extract<Rpc, `${string}${Noun}` | `${string}${Noun}Store${'' | 's'}`>;

/** A request of every RPC that names a list: the compiler refuses the table when one is missing. */
const requests: { [R in Exclude<RpcOf<'List'>, 'createList'> | ListDomainsRpc]: (list: List) => RequestOf<R> } = {
  getList: (list) => list,
  updateList: (list) => ({ ...list, name: 'Renamed by another workspace' }),
  deleteList: (list) => list,
  addListStores: (list) => ({ ...list, stores: storesOf(['foreign.example']), quota: plenty }),
  removeListStores: (list) => ({ ...list, domains: ['a.example'] }),
  removeListStore: (list) => ({ ...list, domain: 'a.example' }),
  listListStores: (list) => ({ ...list, afterDomain: '', limit: 10 }),
  listListDomains: (list) => ({ ...list, limit: 10 }),
  filterListDomains: (list) => ({ ...list, domains: ['a.example'] }),
};
const watchlistRequests: {
  [R in Exclude<RpcOf<'Watchlist'>, 'createWatchlist'>]: (watchlist: Watchlist) => RequestOf<R>;
} = {
  getWatchlist: (watchlist) => watchlist,
  updateWatchlist: (watchlist) => ({
    ...watchlist,
    name: 'Renamed by another workspace',
    signalTypes: undefined,
    technologies: undefined,
    state: WatchlistState.PAUSED,
    ...noRescans,
  }),
  deleteWatchlist: (watchlist) => watchlist,
  addWatchlistStores: (watchlist) => ({ ...watchlist, stores: storesOf(['foreign.example']), quota: plenty }),
  removeWatchlistStores: (watchlist) => ({ ...watchlist, domains: ['a.example'] }),
  removeWatchlistStore: (watchlist) => ({ ...watchlist, domain: 'a.example' }),
  listWatchlistStores: (watchlist) => ({ ...watchlist, afterDomain: '', limit: 10 }),
};

describe('two workspaces', () => {
  let harness: SubscriptionsHarness;
  let client: SubscriptionsClient;
  /** A client of the environment test, and one without an environment. */
  let testClient: SubscriptionsClient;
  let nowhere: SubscriptionsClient;
  let mine: List;
  beforeAll(async () => {
    harness = await createHarness('tenants');
    const service = await harness.start();
    client = service.client;
    testClient = service.clientIn('test');
    nowhere = service.clientIn(null);
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    const workspaceId = newWorkspaceId();
    mine = { workspaceId, listId: await newList(client, workspaceId) };
    await add(client, mine, storesOf(['a.example']));
  });

  const state = async () => [await client.getList(mine), await everyStore(client, mine)];

  it.each(Object.keys(requests) as (keyof typeof requests)[])(
    '%s with the list of another workspace is not_found and changes nothing',
    async (rpc) => {
      const before = await state();
      const workspaceId = newWorkspaceId();
      await newList(client, workspaceId);
      const call = client[rpc] as (request: unknown) => Promise<unknown>;
      await expect(call(requests[rpc]({ ...mine, workspaceId }))).rejects.toMatchObject({ code: 'not_found' });
      expect(await state()).toEqual(before);
    },
  );

  it.each(Object.keys(watchlistRequests) as (keyof typeof watchlistRequests)[])(
    '%s with the watchlist of another workspace is not_found and changes nothing',
    async (rpc) => {
      const theirs = { workspaceId: mine.workspaceId, watchlistId: await newWatchlist(client, mine.workspaceId) };
      await client.addWatchlistStores({ ...theirs, stores: storesOf(['a.example']), quota: plenty });
      const read = async () => [
        await client.getWatchlist(theirs),
        await client.listWatchlistStores({ ...theirs, afterDomain: '', limit: 10 }),
      ];
      const before = await read();
      const workspaceId = newWorkspaceId();
      await newWatchlist(client, workspaceId);
      const call = client[rpc] as (request: unknown) => Promise<unknown>;
      const request = watchlistRequests[rpc]({ ...theirs, workspaceId });
      await expect(call(request)).rejects.toMatchObject({ code: 'not_found' });
      expect(await read()).toEqual(before);
    },
  );

  it('the lists of a workspace are listed for no other one, even after a list of another workspace', async () => {
    const workspaceId = newWorkspaceId();
    harness.clock.advance(1_000);
    const listId = await newList(client, workspaceId);
    const page = async (afterId: string) =>
      (await client.listLists({ workspaceId, afterId, limit: 10 })).lists.map(({ id }) => id);
    expect(await page('')).toEqual([listId]);
    expect(await page(mine.listId)).toEqual([]);
  });

  it.each(Object.keys(requests) as (keyof typeof requests)[])(
    '%s of the environment test with a list of the environment live is not_found and changes nothing',
    async (rpc) => {
      const before = await state();
      await newList(testClient, mine.workspaceId);
      const call = testClient[rpc] as (request: unknown) => Promise<unknown>;
      await expect(call(requests[rpc](mine))).rejects.toMatchObject({ code: 'not_found' });
      expect(await state()).toEqual(before);
    },
  );

  it('each environment of a workspace has lists and quotas of its own', async () => {
    const { workspaceId } = mine;
    const listId = await newList(testClient, workspaceId, { quota: 1 });
    const page = async (by: SubscriptionsClient) =>
      (await by.listLists({ workspaceId, afterId: '', limit: 10 })).lists.map(({ id }) => id);
    expect([await page(client), await page(testClient)]).toEqual([[mine.listId], [listId]]);
    expect(await harness.db.collection<{ _id: string }>('test_lists').findOne({ _id: listId })).not.toBeNull();
  });

  it('a call without an environment is refused', async () => {
    for (const rpc of Object.keys(requests) as (keyof typeof requests)[]) {
      const call = nowhere[rpc] as (request: unknown) => Promise<unknown>;
      await expect(call(requests[rpc](mine))).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('what a workspace uses counts towards no quota of another one', async () => {
    const workspaceId = newWorkspaceId();
    const theirs = { workspaceId, listId: await newList(client, workspaceId, { quota: 1 }) };
    expect(await add(client, theirs, storesOf(['a.example']), 1)).toEqual(['added']);
  });
});
