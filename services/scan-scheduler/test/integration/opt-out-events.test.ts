import type { Transact } from '@shopscope/mongo';
import { MergeOutcome, OptOutChange, optOutChanged, ProfileUpdated } from '@shopscope/proto';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { profileUpdatedSubscription } from '../../src/inbound/kafka/profile-updated.ts';
import { createOptOuts } from '../../src/operations/opt-outs.ts';
import { createOptOutStore } from '../../src/outbound/mongo/opt-outs.ts';
import { context, type Scheduler, startScheduler } from './scheduler.ts';

describe('the events of opt-outs', () => {
  const namespace = testNamespace('scans-opt-outs');
  const shop = 'shop-0.example';
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });
  const optOut = (subject: string) => scheduler.deps.optOuts.add({ subject, reason: 'asked', actor: 'op' }, context);
  const remove = (subject: string) => scheduler.deps.optOuts.remove({ subject, actor: 'op' }, context);
  const { ADDED, WITHDRAWN } = OptOutChange;

  it('an opt-out of a domain and its withdrawal are published with ascending times at one moment, and a network is not', async () => {
    await optOut('WWW.shop-0.example');
    await optOut('198.51.100.0/24');
    await remove(shop);
    await optOut(shop);
    await remove('198.51.100.0/24');
    const published = await scheduler.published(optOutChanged);
    expect(published.map(({ subject, change }) => [subject, change])).toEqual([
      [shop, ADDED],
      [shop, WITHDRAWN],
      [shop, ADDED],
    ]);
    const [first = 0, ...later] = published.map(({ changedAtMs }) => changedAtMs);
    expect(later).toEqual([first + 1, first + 2]);
  });

  it('a repeated addition repeats its event, and a refused withdrawal has none', async () => {
    await optOut(shop);
    await optOut(shop);
    await expect(remove('shop-1.example')).rejects.toMatchObject({ code: 'not_found' });
    const [first, ...repeated] = await scheduler.published(optOutChanged);
    expect(repeated).toEqual([first]);
  });

  it('an opt-out whose event cannot be written is not recorded', async () => {
    const transact: Transact = (work, options) =>
      scheduler.deps.transact(async (tx) => work(tx).then(() => Promise.reject(new Error('killed'))), options);
    const { clock, logger } = scheduler.deps;
    const store = createOptOutStore(scheduler.db);
    const dying = createOptOuts({ store, clock, logger, transact, appendChange: async () => {} });
    const input = { subject: shop, reason: 'asked', actor: 'op' };
    await expect(dying.add(input, context)).rejects.toThrow('killed');
    expect(await store.count()).toBe(0);
  });

  it('after the removal of a profile, the next visit of its store has a higher sequence than the removal', async () => {
    const { handle } = profileUpdatedSubscription(scheduler.deps);
    const removal = { domain: shop, outcome: MergeOutcome.REMOVED, profileSequence: 7 };
    const event = ProfileUpdated.fromPartial(removal);
    await handle([{ event, meta: context.origin }] as unknown as Parameters<typeof handle>[0]);
    await scheduler.queue('ws_a', 'chg_1', shop);
    expect(await scheduler.leaseNext()).toMatchObject({ domain: shop, sequence: 8 });
  });
});
