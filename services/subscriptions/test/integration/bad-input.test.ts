import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  add,
  createHarness,
  domainsOf,
  newList,
  newWorkspaceId,
  plenty,
  type SubscriptionsClient,
  type SubscriptionsHarness,
  storesOf,
} from './harness.ts';

const unknownId = 'lst_01kandxv3w9p4nsbq7g8e2hm5t';

describe('wrong requests', () => {
  let harness: SubscriptionsHarness;
  let client: SubscriptionsClient;
  let list: { workspaceId: string; listId: string };
  beforeAll(async () => {
    harness = await createHarness('bad-input');
    client = (await harness.start()).client;
    const workspaceId = newWorkspaceId();
    list = { workspaceId, listId: await newList(client, workspaceId) };
  });
  afterAll(() => harness?.stop());

  const refused = async (call: Promise<unknown>, field: string) => {
    await expect(call).rejects.toMatchObject({
      code: 'invalid_request',
      publicMessage: expect.stringMatching(new RegExp(`^${field.replaceAll(/[[\]]/g, '\\$&')}: `)),
    });
  };

  it.each(['', ' ', 'x'.repeat(201), 'a\nb', 'a\u202eb', 'a\u0000b'])(
    'the name %j of a list is refused',
    async (name) => {
      await refused(newList(client, list.workspaceId, { name }), 'name');
      await refused(client.updateList({ ...list, name }), 'name');
    },
  );

  it('a name of 200 characters outside the basic plane is accepted', async () => {
    const name = '🛒'.repeat(200);
    const { list: changed } = await client.updateList({ ...list, name });
    expect(changed?.name).toBe(name);
  });

  it.each(['', 'ws_', 'lst_1', 'ws_A', 'ws_1\n', `ws_${'0'.repeat(1_000)}`])(
    'the workspace id %j is refused',
    async (workspaceId) => {
      await refused(client.getList({ ...list, workspaceId }), 'workspace_id');
      await refused(client.createList({ workspaceId, name: 'a', quota: 1, requestToken: '' }), 'workspace_id');
    },
  );

  it.each(['', 'wl_01kandxv3w9p4nsbq7g8e2hm5t', 'lst_', 'lst_\u0000'])('no list has the id %j', async (listId) => {
    await expect(client.getList({ ...list, listId })).rejects.toMatchObject({ code: 'not_found' });
    const added = add(client, { ...list, listId }, storesOf(['a.example']));
    await expect(added).rejects.toMatchObject({ code: 'not_found' });
  });

  it('an unknown list is not_found', async () => {
    await expect(client.getList({ ...list, listId: unknownId })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a call with more than 2,000 stores or without stores is refused', async () => {
    for (const count of [0, 2_001]) {
      await refused(add(client, list, storesOf(domainsOf(count))), 'stores');
      await refused(client.removeListStores({ ...list, domains: domainsOf(count) }), 'domains');
    }
  });

  it.each(['x'.repeat(201), ' a', 'a  b', 'e\u0301', 'a\nb', 'a\u200bb'])(
    'the external id %j is refused with its place, and no store is added',
    async (externalId) => {
      const stores = [...storesOf(['a.example']), { domain: 'b.example', externalId }];
      await refused(client.addListStores({ ...list, stores, quota: plenty }), 'stores[1].external_id');
      expect((await client.getList(list)).list?.storeCount).toBe(0);
    },
  );

  it('a page has 1 to 200 rows, and a position is an id or a domain', async () => {
    const { workspaceId } = list;
    for (const limit of [0, 201]) {
      await refused(client.listLists({ workspaceId, afterId: '', limit }), 'limit');
      await refused(client.listListStores({ ...list, afterDomain: '', limit }), 'limit');
    }
    for (const limit of [0, 5_001]) await refused(client.listListDomains({ ...list, limit }), 'limit');
    await refused(client.filterListDomains({ ...list, domains: domainsOf(5_001) }), 'domains');
    await refused(client.listLists({ workspaceId, afterId: 'x', limit: 1 }), 'after_id');
    await refused(client.listListStores({ ...list, afterDomain: 'www.a.example', limit: 1 }), 'after_domain');
  });

  it('a request token that is not an identifier is refused', async () => {
    await refused(newList(client, list.workspaceId, { requestToken: 'two words' }), 'request_token');
  });
});
