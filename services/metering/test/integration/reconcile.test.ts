import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unitsOf } from '../../src/domain/units.ts';
import { reconcile } from '../../src/operations/reconcile.ts';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, startMeterings } from './harness.ts';

const minuteMs = 60_000;

describe('the reconciler', () => {
  let metering: Metering;
  let client: MeteringClient;

  beforeAll(async () => {
    metering = await startMeterings('reconcile', { env: { RECONCILE_INTERVAL_MS: '3600000' } });
    client = metering.clients[0] as MeteringClient;
  });
  afterAll(() => metering?.stop());

  const charge = async (workspaceId: string, keyId: string, lookupCached: number) => {
    const item = itemOf(workspaceId, { keyId, units: { lookupCached } });
    const { results } = await client.reserve({ items: [item] });
    return eventOf(item, results[0] as never);
  };
  const usage = (workspaceId: string) => client.getUsage({ workspaceId, origin: undefined });
  const repairsShown = async () => {
    const text = await metering.registry.metrics();
    return [...text.matchAll(/^metering_reconcile_repairs_total\{.*\} (\d+)$/gm)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
  };

  it('finds nothing to repair in what counting, voiding and reserving leave', async () => {
    const workspaceId = newWorkspace();
    const events = [await charge(workspaceId, 'key_a', 3), await charge(workspaceId, 'key_b', 2)];
    await charge(workspaceId, 'key_a', 9);
    await client.recordUsage({ events });
    await client.voidCharge({ ...(events[1] as object), origin: undefined } as never);
    expect(await reconcile(metering.deps)).toMatchObject({ repaired: 0 });
    expect((await usage(workspaceId)).balance).toMatchObject({
      used: unitsOf({ lookupCached: 3 }),
      reserved: unitsOf({ lookupCached: 9 }),
    });
  });

  it('repairs a planted drift of every projection from the ledger and the reservations, and says so', async () => {
    const workspaceId = newWorkspace();
    await client.recordUsage({
      events: [await charge(workspaceId, 'key_a', 3), await charge(workspaceId, 'key_b', 2)],
    });
    // The drift is planted after a checkpoint exists.
    metering.clock.advance(6 * minuteMs);
    await reconcile(metering.deps);
    await charge(workspaceId, 'key_a', 4);
    await client.recordUsage({ events: [await charge(workspaceId, 'key_a', 1)] });

    await metering.db
      .collection('usage_counters')
      .updateOne({ workspaceId, keyId: 'key_a' }, { $inc: { 'used.lookupCached': 5 } });
    await metering.db.collection('usage_counters').deleteOne({ workspaceId, keyId: '' });
    await metering.db.collection('allowances').updateOne({ workspaceId }, { $inc: { 'taken.lookupCached': -3 } });
    const before = await repairsShown();
    expect(await reconcile(metering.deps)).toMatchObject({ repaired: 3 });
    expect(await repairsShown()).toBe(before + 3);

    const { balance, keys } = await usage(workspaceId);
    expect(balance).toMatchObject({ used: unitsOf({ lookupCached: 6 }), reserved: unitsOf({ lookupCached: 4 }) });
    expect(new Map(keys.map(({ keyId, used }) => [keyId, used?.lookupCached]))).toEqual(
      new Map([
        ['key_a', 4],
        ['key_b', 2],
      ]),
    );
    expect(await reconcile(metering.deps)).toMatchObject({ repaired: 0 });
  });

  it('is not misled by its own checkpoint: what it would repair is summed again from the whole ledger', async () => {
    const workspaceId = newWorkspace();
    await client.recordUsage({ events: [await charge(workspaceId, 'key_a', 3)] });
    metering.clock.advance(6 * minuteMs);
    await reconcile(metering.deps);
    await metering.db.collection('checkpoints').updateOne({ workspaceId }, { $set: { 'used.key_a.lookupCached': 1 } });
    expect(await reconcile(metering.deps)).toMatchObject({ repaired: 0 });
    expect((await usage(workspaceId)).balance?.used?.lookupCached).toBe(3);
  });
});
