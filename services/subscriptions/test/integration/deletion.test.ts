import { createDeadline } from '@shopscope/async';
import { connectMongo } from '@shopscope/mongo';
import { mongoOptions, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { deleteHiddenStores } from '../../src/operations/delete-hidden-stores.ts';
import { listsOf } from '../../src/operations/group-kinds.ts';
import { createStores } from '../../src/outbound/mongo/stores.ts';
import {
  add,
  createHarness,
  domainsOf,
  newList,
  newWorkspaceId,
  type SubscriptionsClient,
  type SubscriptionsHarness,
  storesOf,
} from './harness.ts';

describe('deletion of lists', () => {
  let harness: SubscriptionsHarness;
  let client: SubscriptionsClient;
  let mongo: Awaited<ReturnType<typeof connectMongo>>;
  beforeAll(async () => {
    harness = await createHarness('deletion');
    client = (await harness.start()).client;
    mongo = await connectMongo(mongoOptions(harness.namespace, 'subscriptions'));
  });
  afterAll(async () => {
    await mongo?.close();
    await harness?.stop();
  });

  /** One run of the timer, with small batches. */
  const run = () => {
    const { registry } = mongoOptions(harness.namespace, 'subscriptions');
    const deps = { metrics: createMetrics(registry, harness.clock) };
    return deleteHiddenStores(deps, listsOf(createStores(mongo.db, 'live')), { maxBatchSize: 100, maxPerRun: 100 });
  };
  const listOf = async (workspaceId: string, count: number) => {
    const list = { workspaceId, listId: await newList(client, workspaceId) };
    await add(client, list, storesOf(domainsOf(count)));
    return list;
  };
  const stored = (list: object) => harness.db.collection('list_stores').countDocuments(list);
  const hidden = (workspaceId: string) => harness.db.collection('lists').countDocuments({ workspaceId });

  it('no call finds a deleted list or its stores from then on', async () => {
    const workspaceId = newWorkspaceId();
    const list = await listOf(workspaceId, 5);
    await client.deleteList(list);
    const calls = [
      client.getList(list),
      client.updateList({ ...list, name: 'again' }),
      client.deleteList(list),
      add(client, list, storesOf(['a.example'])),
      client.removeListStores({ ...list, domains: domainsOf(1) }),
      client.listListStores({ ...list, afterDomain: '', limit: 10 }),
    ];
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
    expect((await client.listLists({ workspaceId, afterId: '', limit: 10 })).lists).toEqual([]);
  });

  it('the timer deletes the stores of a deleted list in batches, then the list, and no store of another list', async () => {
    const workspaceId = newWorkspaceId();
    const [kept, list] = [await listOf(workspaceId, 30), await listOf(workspaceId, 250)];
    // It deletes what the earlier tests have left.
    await run();
    await client.deleteList(list);
    const left: number[] = [];
    for (let runs = 0; runs < 3; runs++) {
      await run();
      left.push(await stored(list));
    }
    expect(left).toEqual([150, 50, 0]);
    expect([await hidden(workspaceId), await stored(kept)]).toEqual([1, 30]);
  });

  it('two instances that delete the same stores leave no store behind', async () => {
    const workspaceId = newWorkspaceId();
    const list = await listOf(workspaceId, 290);
    await client.deleteList(list);
    for (let runs = 0; runs < 3; runs++) await Promise.all([1, 2, 3].map(run));
    expect([await stored(list), await hidden(workspaceId)]).toEqual([0, 0]);
  });

  it('the service deletes the stores when its timer ticks', async () => {
    const workspaceId = newWorkspaceId();
    const list = await listOf(workspaceId, 10);
    await client.deleteList(list);
    await waitUntil('the deletion of the list', async () => {
      harness.clock.advance(1_000);
      return (await stored(list)) === 0 && (await hidden(workspaceId)) === 0;
    });
  });

  it('an addition that runs while its list is deleted adds all of its stores to the list before, or none', async () => {
    const workspaceId = newWorkspaceId();
    for (let round = 0; round < 10; round++) {
      const list = await listOf(workspaceId, 3);
      const [added] = await Promise.allSettled([
        add(client, list, storesOf(domainsOf(20, 'late'))),
        client.deleteList(list),
      ]);
      if (added?.status === 'rejected') expect(added.reason).toMatchObject({ code: 'not_found' });
      expect(await stored(list)).toBe(added?.status === 'fulfilled' ? 23 : 3);
    }
    const use = await harness.db.collection<{ _id: string }>('quotas').findOne({ _id: workspaceId });
    expect(use).toMatchObject({ lists: 0, listStores: 0 });
  });

  it('a call whose deadline has passed changes nothing', async () => {
    const workspaceId = newWorkspaceId();
    const list = await listOf(workspaceId, 3);
    const deadline = createDeadline(0);
    const request = { ...list, stores: storesOf(['late.example']), quota: 100 };
    await expect(client.addListStores(request, { deadline })).rejects.toMatchObject({ code: 'internal' });
    expect(await stored(list)).toBe(3);
  });
});
