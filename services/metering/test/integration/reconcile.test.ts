import { minuteMs } from '@shopscope/clock';
import { unitsOf } from '@shopscope/proto';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReconciler } from '../../src/operations/reconcile.ts';
import { eventOf, itemOf, type Metering, type MeteringClient, newWorkspace, startMeterings } from './harness.ts';

const periodStart = new Date(Date.UTC(2031, 4, 1));
/** The member of a key's counter with the daily counter of the tests' day. */
const today = 'days.2031-05-15';
const plus = (lookupCached: number) => ({ $inc: { 'used.lookupCached': lookupCached } });

/** Access to the stored data, to inject a difference. */
interface Target {
  counters: Collection;
  allowances: Collection;
  charges: Collection;
  workspace: { workspaceId: string };
  key(keyId: string): { workspaceId: string; keyId: string };
  /** A counter of a key without entries in the ledger. */
  unknownCounter: { _id: never; workspaceId: string; keyId: string };
  /** The charge that is reserved and not counted. */
  open: object;
}

describe('reconciler', () => {
  let metering: Metering;
  let client: MeteringClient;
  let reconciler: ReturnType<typeof createReconciler>;

  beforeAll(async () => {
    metering = await startMeterings('reconcile', { env: { RECONCILE_INTERVAL_MS: '3600000' } });
    client = metering.clients[0] as MeteringClient;
    reconciler = createReconciler(metering.deps);
  });
  afterAll(() => metering?.stop());

  const charge = async (workspaceId: string, keyId: string, lookupCached: number) => {
    const item = itemOf(workspaceId, { keyId, units: { lookupCached } });
    const { results } = await client.reserve({ items: [item] });
    return eventOf(item, results[0] as never);
  };
  const usage = (workspaceId: string) => client.getUsage({ workspaceId });
  const repairsShown = async () => {
    const text = await metering.registry.metrics();
    return [...text.matchAll(/^metering_reconcile_repairs_total\{.*\} (\d+)$/gm)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
  };

  it('the reconciler finds no difference after counting, voiding and reserving', async () => {
    const workspaceId = newWorkspace();
    const events = [await charge(workspaceId, 'key_a', 3), await charge(workspaceId, 'key_b', 2)];
    await charge(workspaceId, 'key_a', 9);
    await client.recordUsage({ events });
    await client.voidCharge({ ...(events[1] as object) } as never);
    expect(await reconciler.tick()).toMatchObject({ repaired: 0 });
    expect((await usage(workspaceId)).balance).toMatchObject({
      used: unitsOf({ lookupCached: 3 }),
      reserved: unitsOf({ lookupCached: 9 }),
    });
  });

  it('the reconciler repairs differences of all projections from the ledger and the reservations, and counts the repairs', async () => {
    const workspaceId = newWorkspace();
    await client.recordUsage({
      events: [await charge(workspaceId, 'key_a', 3), await charge(workspaceId, 'key_b', 2)],
    });
    // The differences are injected after the first checkpoint.
    metering.clock.advance(6 * minuteMs);
    await reconciler.tick();
    await charge(workspaceId, 'key_a', 4);
    await client.recordUsage({ events: [await charge(workspaceId, 'key_a', 1)] });

    await metering.db
      .collection('usage_counters')
      .updateOne({ workspaceId, keyId: 'key_a' }, { $inc: { 'used.lookupCached': 5 } });
    await metering.db.collection('usage_counters').deleteOne({ workspaceId, keyId: '' });
    await metering.db.collection('allowances').updateOne({ workspaceId }, { $inc: { 'taken.lookupCached': -3 } });
    const before = await repairsShown();
    expect(await reconciler.tick()).toMatchObject({ repaired: 3 });
    expect(await repairsShown()).toBe(before + 3);

    const { balance, keys } = await usage(workspaceId);
    expect(balance).toMatchObject({ used: unitsOf({ lookupCached: 6 }), reserved: unitsOf({ lookupCached: 4 }) });
    expect(new Map(keys.map(({ keyId, used }) => [keyId, used?.lookupCached]))).toEqual(
      new Map([
        ['key_a', 4],
        ['key_b', 2],
      ]),
    );
    expect(await reconciler.tick()).toMatchObject({ repaired: 0 });
  });

  it.each<[string, number, (target: Target) => Promise<unknown>]>([
    ["a key's counter that is too high", 1, ({ counters, key }) => counters.updateOne(key('key_a'), plus(5))],
    ["a key's counter that is too low", 1, ({ counters, key }) => counters.updateOne(key('key_a'), plus(-1))],
    [
      "a key's counter that is missing, with its daily counter",
      2,
      ({ counters, key }) => counters.deleteOne(key('key_a')),
    ],
    [
      "a key's daily counter that is too high",
      1,
      ({ counters, key }) => counters.updateOne(key('key_a'), { $inc: { [`${today}.lookupCached`]: 2 } }),
    ],
    [
      "a key's daily counter that is too low",
      1,
      ({ counters, key }) => counters.updateOne(key('key_a'), { $inc: { [`${today}.lookupCached`]: -1 } }),
    ],
    [
      "a key's daily counter that is missing",
      1,
      ({ counters, key }) => counters.updateOne(key('key_a'), { $unset: { [today]: true } }),
    ],
    [
      "a key's units in a wrong day",
      2,
      ({ counters, key }) => counters.updateOne(key('key_a'), { $rename: { [today]: 'days.2031-05-14' } }),
    ],
    [
      "a key's units in a day of another period",
      1,
      ({ counters, key }) => counters.updateOne(key('key_a'), { $set: { 'days.2031-06-01.lookupCached': 1 } }),
    ],
    [
      "a day in a workspace's counter",
      1,
      ({ counters, key }) => counters.updateOne(key(''), { $set: { [`${today}.lookupCached`]: 5 } }),
    ],
    [
      "a workspace's counter that differs from the sum of its keys",
      1,
      ({ counters, key }) => counters.updateOne(key(''), plus(2)),
    ],
    [
      'a counter of a key without ledger entries',
      1,
      ({ counters, unknownCounter }) =>
        counters.insertOne({ ...unknownCounter, periodStart, used: { lookupCached: 3 } }),
    ],
    [
      'an allowance that is too high',
      1,
      ({ allowances, workspace }) => allowances.updateOne(workspace, { $inc: { 'taken.lookupCached': 3 } }),
    ],
    [
      'an allowance that is too low',
      1,
      ({ allowances, workspace }) => allowances.updateOne(workspace, { $inc: { 'taken.lookupCached': -3 } }),
    ],
    ['an allowance that is missing', 1, ({ allowances, workspace }) => allowances.deleteOne(workspace)],
    ['a reservation that is missing', 1, ({ charges, open }) => charges.deleteOne(open)],
    [
      'a reservation that the sweeper would not find',
      1,
      ({ charges, open }) => charges.updateOne(open, { $unset: { sweepAt: true } }),
    ],
  ])('the reconciler repairs %s and counts the repair', async (_, repairs, inject) => {
    const workspaceId = newWorkspace();
    await client.recordUsage({
      events: [await charge(workspaceId, 'key_a', 3), await charge(workspaceId, 'key_b', 2)],
    });
    const { chargeId } = await charge(workspaceId, 'key_a', 4);
    const [counters, allowances, charges] = ['usage_counters', 'allowances', 'charges'].map((name) =>
      metering.db.collection(name),
    );
    const before = await repairsShown();
    await inject({
      counters,
      allowances,
      charges,
      workspace: { workspaceId },
      key: (keyId: string) => ({ workspaceId, keyId }),
      unknownCounter: { _id: `${workspaceId}/2031-05/key_x`, workspaceId, keyId: 'key_x' },
      open: { _id: chargeId },
    } as never);
    expect(await reconciler.tick()).toMatchObject({ repaired: repairs });
    expect(await repairsShown()).toBe(before + repairs);
    expect(await reconciler.tick()).toMatchObject({ repaired: 0 });

    const held = await metering.db
      .collection('charges')
      .countDocuments({ workspaceId, 'units.lookupCached': 4, sweepAt: { $exists: true } });
    const { balance, keys } = await usage(workspaceId);
    expect(balance).toMatchObject({
      used: unitsOf({ lookupCached: 5 }),
      reserved: unitsOf({ lookupCached: 4 * held }),
    });
    const rows = keys
      .filter(({ used }) => used?.lookupCached)
      .map(({ keyId, used }) => `${keyId} ${used?.lookupCached}`);
    expect(rows.toSorted()).toEqual(['key_a 3', 'key_b 2']);
    const { days, notRecorded } = await client.getDailyUsage({ workspaceId });
    const dayStartMs = Date.UTC(2031, 4, 15);
    expect(days).toEqual([
      { dayStartMs, keyId: 'key_a', used: unitsOf({ lookupCached: 3 }) },
      { dayStartMs, keyId: 'key_b', used: unitsOf({ lookupCached: 2 }) },
    ]);
    expect(notRecorded).toEqual([]);
  });

  it('the reconciler also compares periods that have not changed for a long time', async () => {
    const workspaceId = newWorkspace();
    await client.recordUsage({ events: [await charge(workspaceId, 'key_a', 3)] });
    metering.clock.advance(60 * minuteMs);
    // One round later the period is no longer in the list of changed periods.
    await reconciler.tick();
    await metering.db.collection('allowances').updateOne({ workspaceId }, { $inc: { 'taken.lookupCached': 7 } });
    await reconciler.tick();
    // The instance's own reconciler also runs after one hour; either of the two may repair first.
    await expect.poll(async () => (await usage(workspaceId)).balance?.reserved).toEqual(unitsOf({}));
  });

  it('the reconciler sums the whole ledger again before a repair, so that a wrong checkpoint causes no wrong repair', async () => {
    const workspaceId = newWorkspace();
    await client.recordUsage({ events: [await charge(workspaceId, 'key_a', 3)] });
    metering.clock.advance(6 * minuteMs);
    await reconciler.tick();
    await metering.db.collection('checkpoints').updateOne({ workspaceId }, { $set: { 'used.key_a.lookupCached': 1 } });
    expect(await reconciler.tick()).toMatchObject({ repaired: 0 });
    // The wrong checkpoint was deleted, and the next run creates a new one.
    await reconciler.tick();
    expect(await metering.db.collection('checkpoints').findOne({ workspaceId })).toMatchObject({
      used: { key_a: { lookupCached: 3 } },
    });
    expect((await usage(workspaceId)).balance?.used?.lookupCached).toBe(3);
  });

  it.each([
    ['without the days of a key', { $unset: { 'days.key_a': true } }],
    ['with wrong days', { $set: { 'days.key_a.2031-05-15.lookupCached': 1 } }],
  ])('the reconciler repairs nothing by a checkpoint %s', async (_, change) => {
    const workspaceId = newWorkspace();
    await client.recordUsage({ events: [await charge(workspaceId, 'key_a', 3)] });
    metering.clock.advance(6 * minuteMs);
    await reconciler.tick();
    await metering.db.collection('checkpoints').updateOne({ workspaceId }, change);
    expect(await reconciler.tick()).toMatchObject({ repaired: 0 });
    await reconciler.tick();
    expect(await metering.db.collection('checkpoints').findOne({ workspaceId })).toMatchObject({
      days: { key_a: { '2031-05-15': { lookupCached: 3 } } },
    });
  });
});

describe('reconciler with many busy workspaces', () => {
  let metering: Metering;
  let client: MeteringClient;

  beforeAll(async () => {
    metering = await startMeterings('reconcile-busy', { env: { RECONCILE_INTERVAL_MS: '3600000' } });
    client = metering.clients[0] as MeteringClient;
  });
  afterAll(() => metering?.stop());

  const use = async (workspaceId: string) => {
    const item = itemOf(workspaceId);
    const { results } = await client.reserve({ items: [item] });
    await client.recordUsage({ events: [eventOf(item, results[0] as never)] });
  };
  const behindSeconds = async () =>
    Number(/^metering_reconcile_behind_seconds\{.*\} (\S+)$/m.exec(await metering.registry.metrics())?.[1]);

  it('the reconciler compares busy workspaces in turn when one run has no time for all, also the one that always changed last', async () => {
    const workspaces = Array.from({ length: 8 }, newWorkspace).toSorted();
    // The round of the quiet periods reaches the last id only after this test.
    const busiest = workspaces[7] as string;
    const passSecond = async () => {
      for (const workspaceId of workspaces) {
        metering.clock.advance(100);
        await use(workspaceId);
      }
    };
    // Each read of the clock advances it by 1 ms, so a run has time for one page of changed periods.
    let monotonicMs = 0;
    const clock = {
      now: () => metering.clock.now(),
      monotonicMs: () => monotonicMs++,
      sleep: metering.deps.clock.sleep,
      after: metering.deps.clock.after,
    };
    const reconciler = createReconciler(
      { ...metering.deps, clock },
      { maxPageSize: 2, maxChangedMs: 2, maxQuietPeriods: 1, maxQuietMs: 2 },
    );

    await passSecond();
    await metering.db.collection('usage_counters').updateOne({ workspaceId: busiest, keyId: '' }, plus(5));
    const runs: { repaired: number; behindSeconds: number }[] = [];
    for (let run = 0; run < 5; run++) {
      await passSecond();
      const { compared, repaired } = await reconciler.tick();
      expect(compared).toBe(3);
      runs.push({ repaired, behindSeconds: await behindSeconds() });
    }
    expect(runs.map(({ repaired }) => repaired)).toEqual([0, 0, 0, 1, 0]);
    // The value grows during a round; the fourth run completes one.
    expect(runs.map((run) => run.behindSeconds)).toEqual([1.6, 2.4, 3.2, 2.4, 3.2]);
  });
});
