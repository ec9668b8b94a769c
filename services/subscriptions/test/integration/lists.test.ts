import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  add,
  createHarness,
  everyStore,
  nameOf,
  newList,
  newWorkspaceId,
  plenty,
  type SubscriptionsClient,
  type SubscriptionsHarness,
  storesOf,
} from './harness.ts';

describe('lists', () => {
  let harness: SubscriptionsHarness;
  let client: SubscriptionsClient;
  beforeAll(async () => {
    harness = await createHarness('lists');
    client = (await harness.start()).client;
  });
  afterAll(() => harness?.stop());

  it('a new list is empty, and is read as it was created', async () => {
    const workspaceId = newWorkspaceId();
    const { list } = await client.createList({ workspaceId, name: '  Prospects  ', quota: 1, requestToken: '' });
    const atMs = harness.clock.now();
    const expected = { name: 'Prospects', storeCount: 0, createdAtMs: atMs, updatedAtMs: atMs };
    expect(list).toMatchObject({ id: expect.stringMatching(/^lst_/), ...expected });
    expect(await client.getList({ workspaceId, listId: list?.id ?? '' })).toEqual({ list });
  });

  it('the pages of lists have every list once, the newest first, even when lists are created and deleted meanwhile', async () => {
    const workspaceId = newWorkspaceId();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      harness.clock.advance(1_000);
      ids.unshift(await newList(client, workspaceId, { name: `List ${n}` }));
    }
    const first = await client.listLists({ workspaceId, afterId: '', limit: 2 });
    expect([first.lists.map(({ id }) => id), first.hasMore]).toEqual([ids.slice(0, 2), true]);
    harness.clock.advance(1_000);
    await newList(client, workspaceId);
    await client.deleteList({ workspaceId, listId: ids[1] ?? '' });
    const second = await client.listLists({ workspaceId, afterId: ids[1] ?? '', limit: 3 });
    expect([second.lists.map(({ id }) => id), second.hasMore]).toEqual([ids.slice(2), false]);
  });

  it('calls with one request token create one list within a day, even if two instances handle them at the same time', async () => {
    const workspaceId = newWorkspaceId();
    const other = (await harness.start()).client;
    const request = { workspaceId, name: 'Once', quota: 2, requestToken: 'chg_of_the_request' };
    const made = await Promise.all([client, other, client, other].map((each) => each.createList(request)));
    expect(new Set(made.map(({ list }) => list?.id)).size).toBe(1);
    harness.clock.advance(24 * 3_600_000);
    const later = await client.createList(request);
    expect(later.list?.id).not.toBe(made[0]?.list?.id);
    await expect(client.createList({ ...request, requestToken: '' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('an update changes the given members and the time of the change', async () => {
    const workspaceId = newWorkspaceId();
    const listId = await newList(client, workspaceId);
    harness.clock.advance(5_000);
    const { list } = await client.updateList({ workspaceId, listId, name: 'Customers' });
    expect(list).toMatchObject({ name: 'Customers', updatedAtMs: harness.clock.now() });
  });

  it('an update without a member, or with the present name, leaves the list and the time of its change as they are', async () => {
    const workspaceId = newWorkspaceId();
    const listId = await newList(client, workspaceId, { name: 'Customers' });
    const before = await client.getList({ workspaceId, listId });
    harness.clock.advance(5_000);
    for (const name of [undefined, 'Customers', ' Customers ']) {
      expect(await client.updateList({ workspaceId, listId, name })).toEqual(before);
    }
    expect(await client.getList({ workspaceId, listId })).toEqual(before);
  });

  it('added stores are canonical, answered in order, and counted once', async () => {
    const workspaceId = newWorkspaceId();
    const list = { workspaceId, listId: await newList(client, workspaceId) };
    harness.clock.advance(1_000);
    const inputs = ['https://www.Shop.example/a', 'shop.example', 'localhost', 'bücher.example', 'a.myshopify.com'];
    const { results } = await client.addListStores({ ...list, stores: storesOf(inputs), quota: plenty });
    expect(results.map(({ domain, outcome }) => [domain, nameOf(outcome)])).toEqual([
      ['shop.example', 'added'],
      ['shop.example', 'present'],
      [undefined, 'invalid_domain'],
      ['xn--bcher-kva.example', 'added'],
      ['a.myshopify.com', 'added'],
    ]);
    const { list: read } = await client.getList(list);
    expect(read).toMatchObject({ storeCount: 3, updatedAtMs: harness.clock.now() });
    expect(await add(client, list, storesOf(inputs))).toEqual([
      'present',
      'present',
      'invalid_domain',
      'present',
      'present',
    ]);
    expect((await client.getList(list)).list?.storeCount).toBe(3);
  });

  it('a present store takes a new external id, keeps its id if the input has none, and loses its id if the new id is empty', async () => {
    const workspaceId = newWorkspaceId();
    const list = { workspaceId, listId: await newList(client, workspaceId) };
    const idAfter = async (...externalIds: (string | undefined)[]) => {
      await add(
        client,
        list,
        externalIds.map((externalId) => ({ domain: 'shop.example', externalId })),
      );
      return (await everyStore(client, list))[0]?.externalId;
    };
    expect(await idAfter('crm 1')).toBe('crm 1');
    expect(await idAfter(undefined)).toBe('crm 1');
    // Of several inputs of one domain, the last one with an id decides.
    expect(await idAfter('crm 2', 'crm 3', undefined)).toBe('crm 3');
    expect(await idAfter('')).toBeUndefined();
  });

  it('no call finds removed stores, and a removal says for each domain whether the list had it', async () => {
    const workspaceId = newWorkspaceId();
    const list = { workspaceId, listId: await newList(client, workspaceId) };
    await add(client, list, storesOf(['a.example', 'b.example', 'c.example']));
    const domains = ['www.a.example', 'a.example', 'z.example', 'localhost'];
    const { results } = await client.removeListStores({ ...list, domains });
    expect(results.map(({ outcome }) => nameOf(outcome))).toEqual(['removed', 'absent', 'absent', 'invalid_domain']);
    await client.removeListStore({ ...list, domain: 'b.example' });
    await expect(client.removeListStore({ ...list, domain: 'b.example' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await everyStore(client, list)).map(({ domain }) => domain)).toEqual(['c.example']);
    expect((await client.getList(list)).list?.storeCount).toBe(1);
  });

  it('the pages of stores have every store once, by domain, even when stores are added and removed meanwhile', async () => {
    const workspaceId = newWorkspaceId();
    const list = { workspaceId, listId: await newList(client, workspaceId) };
    await add(client, list, storesOf(['d.example', 'a.example', 'c.example', 'b.example', 'e.example']));
    const first = await client.listListStores({ ...list, afterDomain: '', limit: 2 });
    expect([first.stores.map(({ domain }) => domain), first.hasMore]).toEqual([['a.example', 'b.example'], true]);
    await add(client, list, storesOf(['aa.example']));
    await client.removeListStores({ ...list, domains: ['b.example'] });
    const second = await client.listListStores({ ...list, afterDomain: 'b.example', limit: 3 });
    expect([second.stores.map(({ domain }) => domain), second.hasMore]).toEqual([
      ['c.example', 'd.example', 'e.example'],
      false,
    ]);
  });

  it('the domains of a list are read in order up to a limit, and a filter returns those of the given domains that the list has', async () => {
    const workspaceId = newWorkspaceId();
    const list = { workspaceId, listId: await newList(client, workspaceId) };
    await add(client, list, storesOf(['c.example', 'a.example', 'b.example']));
    const first = { domains: ['a.example', 'b.example'], hasMore: true };
    expect(await client.listListDomains({ ...list, limit: 2 })).toEqual(first);
    const all = { domains: ['a.example', 'b.example', 'c.example'], hasMore: false };
    expect(await client.listListDomains({ ...list, limit: 3 })).toEqual(all);
    const afterDomain = all.domains[0] as string;
    expect(await client.listListDomains({ ...list, limit: 3, afterDomain })).toEqual({
      ...all,
      domains: all.domains.slice(1),
    });
    const { domains } = await client.filterListDomains({ ...list, domains: ['x.example', 'c.example', 'a.example'] });
    expect(domains.toSorted()).toEqual(['a.example', 'c.example']);
    expect(await client.filterListDomains({ ...list, domains: [] })).toEqual({ domains: [] });
  });
});
