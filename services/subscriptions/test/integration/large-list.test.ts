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

const [size, batch] = [25_000, 2_000];

describe('a list of 25,000 stores', () => {
  let harness: SubscriptionsHarness;
  let client: SubscriptionsClient;
  beforeAll(async () => {
    harness = await createHarness('large-list');
    client = (await harness.start()).client;
  });
  afterAll(() => harness?.stop());

  it('a list takes 25,000 stores in batches, has each of them once in its pages, and refuses one more', async () => {
    const workspaceId = newWorkspaceId();
    const list = { workspaceId, listId: await newList(client, workspaceId) };
    const domains = domainsOf(size);
    const batches = Array.from({ length: Math.ceil(size / batch) }, (_, n) =>
      domains.slice(n * batch, (n + 1) * batch),
    );
    for (const each of batches) await add(client, list, storesOf(each), size);
    expect((await client.getList(list)).list?.storeCount).toBe(size);
    expect((await everyStore(client, list)).map(({ domain }) => domain)).toEqual(domains);
    await expect(add(client, list, storesOf(['one-more.example']), size)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('a page of a large list and a call of 2,000 stores examine no more documents than they need', async () => {
    const [found] = await harness.db.collection('lists').find().toArray();
    const ref = { workspaceId: found?.workspaceId, listId: String(found?._id) };
    const collection = harness.db.collection('list_stores');
    const examined = async (query: object, limit: number) => {
      const { executionStats } = await collection
        .find({ ...ref, ...query })
        .sort({ domain: 1 })
        .limit(limit)
        .explain('executionStats');
      return executionStats.totalDocsExamined;
    };
    expect(await examined({ domain: { $gt: 'shop-012000.example' } }, 201)).toBe(201);
    expect(await examined({ domain: { $in: domainsOf(2_000) } }, 2_000)).toBe(2_000);
  });
});
