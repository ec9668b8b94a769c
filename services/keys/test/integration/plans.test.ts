import { ManualClock } from '@shopscope/clock';
import type { Plan } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actor, createHarness, type KeysClient, type KeysHarness } from './harness.ts';

describe('plans', () => {
  const clock = new ManualClock();
  let keys: KeysHarness;
  let client: KeysClient;
  /** A second instance on the same database. */
  let other: KeysClient;
  let free: Plan;

  beforeAll(async () => {
    keys = await createHarness('plans', clock);
    client = (await keys.start()).client;
    other = (await keys.start()).client;
    free = (await client.listPlans({})).plans.find(({ slug }) => slug === 'free') as Plan;
  });
  afterAll(() => keys?.stop());

  const slugs = async () => (await client.listPlans({})).plans.map(({ slug }) => slug);
  const change = (slug: string, changes: object) => client.updatePlan({ slug, actor, ...changes });

  it('CreatePlan of an existing slug is a conflict and leaves the plan as it was', async () => {
    await client.createPlan({ plan: { ...free, slug: 'once', rpm: 7 }, actor });
    const again = client.createPlan({ plan: { ...free, slug: 'once', rpm: 8 }, actor });
    await expect(again).rejects.toMatchObject({ code: 'conflict', publicMessage: expect.stringContaining('once') });
    expect((await client.listPlans({})).plans.find(({ slug }) => slug === 'once')?.rpm).toBe(7);
  });

  it('one of several concurrent CreatePlan calls with the same slug succeeds', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) =>
        (n % 2 ? client : other).createPlan({ plan: { ...free, slug: 'raced', rpm: n + 1 }, actor }),
      ),
    );
    const created = attempts.filter(({ status }) => status === 'fulfilled');
    expect(created).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'conflict' });
    }
  });

  it('UpdatePlan of an unknown slug creates nothing and names the plans that exist', async () => {
    await expect(change('grwth', { rpm: 1 })).rejects.toMatchObject({
      code: 'not_found',
      publicMessage: expect.stringMatching(/"grwth".*free.*growth.*scale.*starter/),
    });
    expect(await slugs()).not.toContain('grwth');
  });

  it('UpdatePlan keeps the members that it does not name, even when two calls run at the same time', async () => {
    await client.createPlan({ plan: { ...free, slug: 'changed' }, actor });
    await Promise.all([
      change('changed', { rpm: 77 }),
      other.updatePlan({ slug: 'changed', actor, lookupLive: 0, concurrency: 3, watchlists: 0 }),
    ]);
    const changed = (await client.listPlans({})).plans.find(({ slug }) => slug === 'changed');
    expect(changed).toEqual({
      ...free,
      slug: 'changed',
      rpm: 77,
      concurrency: 3,
      included: { ...free.included, lookupLive: 0 },
      quotas: { ...free.quotas, watchlists: 0 },
    });
  });

  it('UpdatePlan refuses a value out of range, names the field and changes nothing', async () => {
    await expect(change('changed', { enrichBatchMax: 101 })).rejects.toMatchObject({
      code: 'invalid_request',
      publicMessage: expect.stringMatching(/^enrich_batch_max/),
    });
    await expect(change('changed', {})).rejects.toMatchObject({ code: 'invalid_request' });
    const changed = (await client.listPlans({})).plans.find(({ slug }) => slug === 'changed');
    expect(changed?.enrichBatchMax).toBe(free.enrichBatchMax);
  });

  const quotasOf = async (slug: string) =>
    (await client.listPlans({})).plans.find((plan) => plan.slug === slug)?.quotas;

  it.each([
    ['free', [3, 1_000, 1, 100, 2]],
    ['starter', [20, 25_000, 10, 2_500, 5]],
    ['growth', [100, 250_000, 50, 25_000, 20]],
    ['scale', [1_000, 2_500_000, 500, 250_000, 50]],
  ])('a new installation has the published quotas of the plan %s', async (slug, published) => {
    const [lists, listStores, watchlists, watchedStores, webhooks] = published;
    expect(await quotasOf(slug)).toEqual({ lists, listStores, watchlists, watchedStores, webhooks });
  });

  it('a plan that CreatePlan or PutPlan stores without quotas has the quotas of the initial plan `free`', async () => {
    const plan = { ...free, quotas: undefined };
    await client.createPlan({ plan: { ...plan, slug: 'without_quotas' }, actor });
    await client.putPlan({ plan: { ...plan, slug: 'put_without_quotas' }, actor });
    expect(await quotasOf('without_quotas')).toEqual(free.quotas);
    expect(await quotasOf('put_without_quotas')).toEqual(free.quotas);
  });

  it('a plan that was stored without quotas has the initial ones, and those that an operator sets', async () => {
    const collection = keys.db.collection<{ _id: string }>('plans');
    const growth = await quotasOf('growth');
    await collection.updateOne({ _id: 'growth' }, { $unset: { quotas: 1 } });
    expect(await quotasOf('growth')).toEqual(growth);
    await change('growth', { webhooks: 21 });
    expect(await quotasOf('growth')).toEqual({ ...growth, webhooks: 21 });
    await change('growth', { ...growth });
    expect(await quotasOf('growth')).toEqual(growth);
  });

  it('DeletePlan refuses a plan that workspaces are on and says how many', async () => {
    await client.createPlan({ plan: { ...free, slug: 'used' }, actor });
    for (const name of ['A', 'B']) await client.createWorkspace({ name, planSlug: 'used', actor, actorAddress: '' });
    await expect(client.deletePlan({ slug: 'used', actor })).rejects.toMatchObject({
      code: 'conflict',
      publicMessage: expect.stringContaining('2 workspaces are on plan used'),
    });
    expect(await slugs()).toContain('used');
    await expect(client.deletePlan({ slug: 'none', actor })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a deleted initial plan does not come back with the next start', async () => {
    await client.deletePlan({ slug: 'starter', actor });
    await (await keys.start()).stop();
    expect(await slugs()).not.toContain('starter');
    await client.createPlan({ plan: { ...free, slug: 'starter' }, actor });
    expect(await slugs()).toContain('starter');
  });

  it('ListPlans has every plan: concurrent calls create no 201st one', async () => {
    const collection = keys.db.collection<{ _id: string }>('plans');
    const { slug: _, ...limits } = free;
    const filling = Array.from({ length: 197 - (await collection.countDocuments()) }, (_, n) => `filling_${n}`);
    await collection.insertMany(filling.map((slug) => ({ _id: slug, ...limits })));
    const attempts = Array.from({ length: 10 }, (_, n) => {
      const request = { plan: { ...free, slug: `last_${n}` }, actor };
      return n % 2 ? client.createPlan(request) : other.putPlan(request);
    });
    const outcomes = await Promise.allSettled(attempts);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({
          code: 'conflict',
          publicMessage: 'There are 200 plans; delete one first.',
        });
      }
    }
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await slugs()).toHaveLength(200);
    await client.putPlan({ plan: { ...free, slug: 'filling_0', rpm: 7 }, actor });
    await client.deletePlan({ slug: 'filling_0', actor });
    await client.createPlan({ plan: { ...free, slug: 'room' }, actor });
    expect(await slugs()).toContain('room');
    await collection.deleteMany({ _id: { $regex: '^(filling|last)_' } });
  });

  it.each(['createWorkspace', 'setWorkspacePlan'] as const)(
    'a plan that is deleted while %s assigns it never leaves a workspace on a plan that does not exist',
    async (assign) => {
      const outcomes = { deleted: 0, refused: 0 };
      for (let round = 0; round < 12; round++) {
        const slug = `race_${assign.toLowerCase()}_${round}`;
        await client.createPlan({ plan: { ...free, slug }, actor });
        const name = `${assign} ${round}`;
        const { workspace } = await client.createWorkspace({ name, planSlug: 'free', actor, actorAddress: '' });
        const workspaceId = workspace?.id ?? '';
        const assigning =
          assign === 'createWorkspace'
            ? () => client.createWorkspace({ name, planSlug: slug, actor, actorAddress: '' })
            : () => client.setWorkspacePlan({ workspaceId, planSlug: slug, actor });
        const [deletion, assignment] = await Promise.allSettled([other.deletePlan({ slug, actor }), assigning()]);
        // Exactly one of the two wins.
        expect([deletion.status, assignment.status].sort()).toEqual(['fulfilled', 'rejected']);
        outcomes[deletion.status === 'fulfilled' ? 'deleted' : 'refused']++;
        const onPlan = await keys.db.collection('workspaces').countDocuments({ planSlug: slug });
        const plans = await keys.db.collection<{ _id: string }>('plans').countDocuments({ _id: slug });
        expect({ onPlan, plans }).toEqual(
          deletion.status === 'fulfilled' ? { onPlan: 0, plans: 0 } : { onPlan: 1, plans: 1 },
        );
        if (deletion.status === 'rejected') expect(deletion.reason).toMatchObject({ code: 'conflict' });
        if (assignment.status === 'rejected') expect(assignment.reason).toMatchObject({ code: 'invalid_request' });
      }
      expect(outcomes.deleted + outcomes.refused).toBe(12);
    },
  );
});
