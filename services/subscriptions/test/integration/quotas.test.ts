import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  add,
  createHarness,
  domainsOf,
  everyStore,
  newList,
  newWorkspaceId,
  type SubscriptionsClient,
  type SubscriptionsHarness,
  storesOf,
} from './harness.ts';

describe('quotas', () => {
  let harness: SubscriptionsHarness;
  let client: SubscriptionsClient;
  let other: SubscriptionsClient;
  beforeAll(async () => {
    harness = await createHarness('quotas');
    client = (await harness.start()).client;
    other = (await harness.start()).client;
  });
  afterAll(() => harness?.stop());

  const refusal = (text: string) => ({ code: 'invalid_request', publicMessage: text });

  it('a call beyond a quota names the quota, its value and the use, and changes nothing', async () => {
    const workspaceId = newWorkspaceId();
    const list = { workspaceId, listId: await newList(client, workspaceId, { quota: 1 }) };
    await expect(newList(client, workspaceId, { quota: 1 })).rejects.toMatchObject(
      refusal('lists: the plan allows 1, the workspace uses 1, and this request would add 1'),
    );
    await add(client, list, storesOf(['a.example', 'b.example']), 3);
    const before = await client.getList(list);
    const stores = [
      { domain: 'a.example', externalId: 'new' },
      { domain: 'c.example', externalId: undefined },
      { domain: 'd.example', externalId: undefined },
    ];
    await expect(add(client, list, stores, 3)).rejects.toMatchObject(
      refusal('list_stores: the plan allows 3, the workspace uses 2, and this request would add 2'),
    );
    expect(await client.getList(list)).toEqual(before);
    expect(await everyStore(client, list)).toEqual(
      ['a.example', 'b.example'].map((domain) => ({ domain, externalId: undefined })),
    );
  });

  it('a quota counts the stores of all lists together, and a removal and a deletion free it at once', async () => {
    const workspaceId = newWorkspaceId();
    const one = { workspaceId, listId: await newList(client, workspaceId) };
    const two = { workspaceId, listId: await newList(client, workspaceId) };
    await add(client, one, storesOf(domainsOf(3)), 4);
    await expect(add(client, two, storesOf(domainsOf(2)), 4)).rejects.toMatchObject({ code: 'invalid_request' });
    await client.removeListStores({ ...one, domains: domainsOf(1) });
    await add(client, two, storesOf(domainsOf(2)), 4);
    await client.deleteList(one);
    await add(client, two, storesOf(domainsOf(4)), 4);
    await newList(client, workspaceId, { quota: 2 });
    await expect(newList(client, workspaceId, { quota: 2 })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('a smaller plan keeps everything that exists and refuses additions', async () => {
    const workspaceId = newWorkspaceId();
    const list = { workspaceId, listId: await newList(client, workspaceId) };
    await add(client, list, storesOf(domainsOf(5)), 5);
    expect(await add(client, list, storesOf(domainsOf(5)), 2)).toEqual(Array(5).fill('present'));
    await expect(add(client, list, storesOf(['new.example']), 2)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await everyStore(client, list)).toHaveLength(5);
  });

  it('concurrent calls never exceed a quota, and each adds all of its stores or none', async () => {
    const workspaceId = newWorkspaceId();
    const lists = await Promise.all([newList(client, workspaceId), newList(other, workspaceId)]);
    const [calls, each, quota] = [20, 10, 95];
    const outcomes = await Promise.allSettled(
      Array.from({ length: calls }, (_, n) => {
        const list = { workspaceId, listId: lists[n % 2] ?? '' };
        return add(n % 2 ? client : other, list, storesOf(domainsOf(each, `call-${n}`)), quota);
      }),
    );
    const done = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason.publicMessage).toContain('list_stores: the plan allows 95');
    expect(done).toHaveLength(9);
    for (const [at, listId] of lists.entries()) {
      const expected = done.filter((n) => n % 2 === at).flatMap((n) => domainsOf(each, `call-${n}`));
      const found = await everyStore(client, { workspaceId, listId });
      expect(found.map(({ domain }) => domain)).toEqual(expected.sort());
      expect((await client.getList({ workspaceId, listId })).list?.storeCount).toBe(expected.length);
    }
    await add(client, { workspaceId, listId: lists[0] ?? '' }, storesOf(domainsOf(5, 'last')), quota);
  });

  it('concurrent creations never exceed the quota of lists', async () => {
    const workspaceId = newWorkspaceId();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => newList(n % 2 ? client : other, workspaceId, { quota: 3 })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const { lists } = await client.listLists({ workspaceId, afterId: '', limit: 200 });
    expect(lists).toHaveLength(3);
  });

  it('the recorded use is what the collections hold after concurrent additions, removals and deletions', async () => {
    const workspaceId = newWorkspaceId();
    const lists = await Promise.all([1, 2, 3].map(() => newList(client, workspaceId)));
    const work = Array.from({ length: 30 }, async (_, n) => {
      const list = { workspaceId, listId: lists[n % 3] ?? '' };
      const by = n % 2 ? client : other;
      const domains = domainsOf(8, `part-${n % 5}`);
      if (n === 20) await by.deleteList({ workspaceId, listId: lists[2] ?? '' });
      else if (n % 4 === 3) await by.removeListStores({ ...list, domains });
      else await add(by, list, storesOf(domains));
    });
    for (const outcome of await Promise.allSettled(work))
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_found' });
    const open = lists.slice(0, 2);
    const stored = await harness.db.collection('list_stores').countDocuments({ workspaceId, listId: { $in: open } });
    const use = await harness.db.collection<{ _id: string }>('quotas').findOne({ _id: workspaceId });
    expect(use).toMatchObject({ lists: 2, listStores: stored });
    const counts = await Promise.all(open.map((listId) => client.getList({ workspaceId, listId })));
    expect(counts.reduce((sum, { list }) => sum + (list?.storeCount ?? 0), 0)).toBe(stored);
  });
});
