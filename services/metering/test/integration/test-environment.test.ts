import { dayMs, minuteMs } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { consumeEvents, type Received } from '@shopscope/kafka';
import {
  type AllowanceThresholdReached,
  allowanceThresholdReached,
  KeyChange,
  type KeyChanged,
  keyChanged,
  LeaseOutcome,
  type ReserveItem,
  ReserveOutcome,
  refundRequested,
  ScanUnit,
  UsageKind,
  unitsOf,
  usageRecorded,
} from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteEndedGenerations } from '../../src/operations/generations.ts';
import { createReconciler } from '../../src/operations/reconcile.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';
import {
  currentPeriodMs,
  eventOf,
  itemOf,
  type Metering,
  type MeteringClient,
  newWorkspace,
  origin,
  startMeterings,
  testOrigin,
} from './harness.ts';

const origins = { live: origin, test: testOrigin };
type Environment = keyof typeof origins;
const of = (environment: Environment) => ({ origin: origins[environment] });
const other = { live: 'test', test: 'live' } as const;

describe('the environments of metering', () => {
  let metering: Metering;
  let client: MeteringClient;
  beforeAll(async () => {
    metering = await startMeterings('test-environment');
    [client] = metering.clients as [MeteringClient];
  });
  afterAll(() => metering?.stop());

  const reserve = async (environment: Environment, item: ReserveItem) => {
    const { results } = await client.reserve({ items: [item] }, of(environment));
    const [result] = results;
    if (!result) throw new Error('the call has no result');
    return result;
  };
  /** Reserves and counts the units of an item. */
  const use = async (environment: Environment, item: ReserveItem) => {
    const event = eventOf(item, await reserve(environment, item));
    await metering.publish([event], environment);
    await metering.settle();
    return event;
  };
  const balanceOf = async (environment: Environment, workspaceId: string) =>
    (await client.getBalance({ workspaceIds: [workspaceId] }, of(environment))).balances[0];
  const setLeft = (workspaceId: string, left: number, environment: Environment = 'test') =>
    client.setTestAllowance(
      { workspaceId, included: unitsOf({ lookupCached: 100 }), left: [{ unit: 'lookup_cached', left }] },
      of(environment),
    );
  const reset = (workspaceId: string) => client.resetTestAllowances({ workspaceId }, of('test'));
  const deleteWorkspace = async (workspaceId: string) => {
    const atMs = metering.clock.now();
    const change: KeyChanged = {
      change: KeyChange.WORKSPACE_DELETED,
      keyId: '',
      workspaceId,
      planSlug: 'free',
      atMs,
    };
    await metering.producer.publishMany(keyChanged, [change], { ...origin, environment: null }, { timeoutMs: 10_000 });
    await metering.settle();
  };
  const small = (workspaceId: string, lookupCached: number) =>
    itemOf(workspaceId, { units: { lookupCached }, included: { lookupCached: 100 } });
  /** The documents of a workspace in all collections that belong to an environment, without those of its outbox. */
  const documentsOf = async (environment: Environment, workspaceId: string) => {
    const names = Object.keys(collections).filter(
      (name) => !name.startsWith('outbox') && name.startsWith('test_') === (environment === 'test'),
    );
    const found = await Promise.all(
      names.map(async (name) => {
        const all = await metering.db.collection(name).find().sort({ _id: 1 }).toArray();
        const text = (document: object) => JSON.stringify(document);
        return all.filter((document) => text(document).includes(workspaceId)).map((one) => `${name} ${text(one)}`);
      }),
    );
    return found.flat();
  };

  it.each(['live', 'test'] as const)(
    'charges, voids, refunds and retries of %s usage change no document of the other environment',
    async (environment) => {
      const workspaceId = newWorkspace();
      await use(other[environment], small(workspaceId, 3));
      const before = await documentsOf(other[environment], workspaceId);
      expect(before).not.toEqual([]);

      const item = itemOf(workspaceId, {
        units: { lookupCached: 80, lookupLive: 1 },
        included: { lookupCached: 100, lookupLive: 5 },
      });
      await use(environment, item);
      await reserve(environment, { ...item, fingerprint: Buffer.alloc(32, 1) });
      const voided = small(workspaceId, 2);
      const { attempt } = await reserve(environment, voided);
      await client.voidCharge({ chargeId: voided.chargeId, attempt, workspaceId, keyId: 'key_a' }, of(environment));
      const second = small(workspaceId, 1);
      const recorded = eventOf(second, await reserve(environment, second));
      await client.recordUsage({ events: [recorded] }, of(environment));
      const refund = {
        jobId: newId('job'),
        workspaceId,
        chargeId: item.chargeId,
        unit: ScanUnit.LOOKUP_LIVE,
        jobCreatedAtMs: metering.clock.now(),
        canceledAtMs: metering.clock.now(),
      };
      await metering.producer.publishMany(refundRequested[environment], [refund], origins[environment], {
        timeoutMs: 10_000,
      });
      await metering.settle();

      const expected = unitsOf({ lookupCached: 81 });
      await waitUntil(
        'the refund to be settled',
        async () => (await balanceOf(environment, workspaceId))?.used?.lookupLive === 0,
      );
      expect((await balanceOf(environment, workspaceId))?.used).toEqual(expected);
      expect((await balanceOf(other[environment], workspaceId))?.used).toEqual(unitsOf({ lookupCached: 3 }));
      expect(await documentsOf(other[environment], workspaceId)).toEqual(before);
    },
  );

  it('test usage changes no metric of live usage', async () => {
    const workspaceId = newWorkspace();
    const [service] = metering.services;
    const counts = async () => {
      const text = await (await fetch(`${service?.adminUrl}/metrics`)).text();
      return [...text.matchAll(/^metering_.*$/gm)]
        .map(([line]) => line)
        .filter((line) => !line.includes('behind_seconds'));
    };
    const before = await counts();
    await use('test', small(workspaceId, 100));
    expect((await reserve('test', small(workspaceId, 1))).outcome).toBe(ReserveOutcome.EXHAUSTED);
    expect(await counts()).toEqual(before);
  });

  it.each(['live', 'test'] as const)(
    'a usage event of the other environment in the %s topic becomes a dead letter, and the events beside it are counted',
    async (environment) => {
      const workspaceId = newWorkspace();
      const items = [small(workspaceId, 1), small(workspaceId, 2)] as const;
      const [good, foreign] = [await reserve(environment, items[0]), await reserve(other[environment], items[1])];
      const before = await metering.deadLetters(environment);
      const publish = (event: ReturnType<typeof eventOf>, from: Environment) =>
        metering.producer.publishMany(usageRecorded[environment], [event], origins[from], { timeoutMs: 10_000 });
      await publish(eventOf(items[1], foreign), other[environment]);
      await publish(eventOf(items[0], good), environment);
      await metering.settle();
      expect(await metering.deadLetters(environment)).toBe(before + 1);
      expect((await balanceOf(environment, workspaceId))?.used).toEqual(unitsOf({ lookupCached: 1 }));
      expect((await balanceOf(other[environment], workspaceId))?.used).toEqual(unitsOf({}));
    },
  );

  it('no lease lends units of a test allowance', async () => {
    const workspaceId = newWorkspace();
    await reserve('test', small(workspaceId, 7));
    const ask = {
      workspaceId,
      leaseId: newId('lse'),
      callNumber: 1,
      sentAtMs: Date.now(),
      wanted: 1,
      spent: 0,
      final: false,
      included: unitsOf({ lookupCached: 1_000 }),
      periodStartMs: 0,
      unit: 'lookup_cached',
    };
    const grantIn = async (environment: Environment) =>
      (await client.leaseAllowance({ gatewayId: 'gw_1', asks: [ask] }, of(environment))).grants[0];
    expect(await grantIn('test')).toMatchObject({ outcome: LeaseOutcome.DIRECT, taken: 7 });
    expect(await grantIn('live')).toMatchObject({ outcome: LeaseOutcome.GRANTED, granted: 1 });
  });

  it('what is left is set below and above the present amount, and usage and reservations stay', async () => {
    const workspaceId = newWorkspace();
    await use('test', small(workspaceId, 60));
    await reserve('test', small(workspaceId, 10));
    const balances = [2, 100, 0].map(async (left) => (await setLeft(workspaceId, left)).balance);
    for (const balance of await Promise.all(balances)) {
      expect(balance).toMatchObject({ used: { lookupCached: 60 }, reserved: { lookupCached: 10 } });
    }
    for (const left of [2, 100, 1]) {
      const { balance } = await setLeft(workspaceId, left);
      expect(balance?.taken).toEqual(unitsOf({ lookupCached: 100 - left }));
    }
    expect((await reserve('test', small(workspaceId, 2))).outcome).toBe(ReserveOutcome.EXHAUSTED);
    expect(await reserve('test', small(workspaceId, 1))).toMatchObject({
      outcome: ReserveOutcome.GRANTED,
      balance: { taken: { lookupCached: 100 } },
    });
    expect((await reserve('test', small(workspaceId, 1))).outcome).toBe(ReserveOutcome.EXHAUSTED);
  });

  it('a setting above the included units is refused with the name of the unit, and so is one of live units', async () => {
    const workspaceId = newWorkspace();
    await expect(setLeft(workspaceId, 101)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/lookup_cached.*100/),
    });
    await expect(setLeft(workspaceId, 1, 'live')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(client.resetTestAllowances({ workspaceId }, of('live'))).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(client.resetTestAllowances({ workspaceId })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('a threshold of test usage is announced in the test topic with the workspace and its generation, also after a reset', async () => {
    const workspaceId = newWorkspace();
    const found: unknown[] = [];
    const consumer = await consumeEvents(metering.kafka, {
      groupId: 'thresholds',
      producer: metering.producer,
      onFatal: () => {},
      subscriptions: Object.values(allowanceThresholdReached).map((type) => ({
        type,
        async handle(received: Received<AllowanceThresholdReached>[]) {
          for (const { event, meta, topic } of received) {
            if (event.workspaceId !== workspaceId) continue;
            found.push([topic, meta.environment, event.percent, event.used, event.generation]);
          }
        },
      })),
    });
    const expected: unknown[] = [];
    for (let round = 1; round <= 2; round++) {
      // Units that were given back do not hide a threshold.
      await setLeft(workspaceId, 100);
      await use('test', small(workspaceId, 50));
      await setLeft(workspaceId, 100);
      await use('test', small(workspaceId, 30));
      expected.push([allowanceThresholdReached.test.topic, 'test', 80, 80, round - 1]);
      await waitUntil('the threshold to be announced', async () => found.length >= round);
      expect(found).toEqual(expected);
      await reset(workspaceId);
    }
    await consumer.stop();
  });

  it('a reset leaves nothing of the workspace in any answer, and everything of another workspace and of its live data', async () => {
    const [workspaceId, neighbour] = [newWorkspace(), newWorkspace()];
    await use('live', small(workspaceId, 4));
    await use('test', small(neighbour, 5));
    await setLeft(neighbour, 9);
    const keyed = itemOf(workspaceId, { fingerprint: Buffer.alloc(32, 1), included: { lookupCached: 100 } });
    await use('test', keyed);
    await reserve('test', small(workspaceId, 6));
    await setLeft(workspaceId, 1);
    const before = [await documentsOf('live', workspaceId), await documentsOf('test', neighbour)];

    await reset(workspaceId);
    expect(await balanceOf('test', workspaceId)).toMatchObject({
      used: unitsOf({}),
      reserved: unitsOf({}),
      taken: unitsOf({}),
    });
    expect((await client.getUsage({ workspaceId }, of('test'))).keys).toEqual([]);
    expect((await client.getDailyUsage({ workspaceId }, of('test'))).days).toEqual([]);
    expect([await documentsOf('live', workspaceId), await documentsOf('test', neighbour)]).toEqual(before);
    // The same key with another body is a new charge.
    const again = { ...keyed, fingerprint: Buffer.alloc(32, 2) };
    expect(await reserve('test', again)).toMatchObject({ outcome: ReserveOutcome.GRANTED, attempt: 1 });
  });

  it('usage events, voids and refunds of charges before a reset change nothing after it', async () => {
    const workspaceId = newWorkspace();
    const [counted, open] = [small(workspaceId, 3), small(workspaceId, 4)];
    const event = await use('test', counted);
    const late = eventOf(open, await reserve('test', open));
    await reset(workspaceId);
    await use('test', small(workspaceId, 1));
    await metering.publish([event, late, { ...event, kind: UsageKind.VOID }], 'test');
    await client.voidCharge({ chargeId: late.chargeId, attempt: 1, workspaceId, keyId: 'key_a' }, of('test'));
    expect(await client.recordUsage({ events: [late] }, of('test'))).toEqual({ refusedChargeIds: [] });
    await metering.settle();
    expect(await balanceOf('test', workspaceId)).toMatchObject({
      used: unitsOf({ lookupCached: 1 }),
      reserved: unitsOf({}),
      taken: unitsOf({ lookupCached: 1 }),
    });
  });

  it('the documents from before a reset are deleted within minutes, and those from after it stay', async () => {
    const [workspaceId, neighbour] = [newWorkspace(), newWorkspace()];
    await use('test', small(neighbour, 2));
    // The clock moves, so a sweep may change a document, and the reconciler may add a checkpoint.
    const idsOf = async () =>
      (await documentsOf('test', neighbour))
        .map((text) => text.split(',', 1)[0])
        .filter((id) => !id?.startsWith('test_checkpoints'));
    const untouched = await idsOf();
    await use('test', small(workspaceId, 3));
    await reset(workspaceId);
    await use('test', small(workspaceId, 4));
    await reset(workspaceId);
    await use('test', small(workspaceId, 5));
    const ofCurrent = async () =>
      (await documentsOf('test', workspaceId)).filter((text) => !text.includes(`${workspaceId}~2`));
    expect((await ofCurrent()).length).toBeGreaterThan(8);
    metering.clock.advance(3 * minuteMs);
    await deleteEndedGenerations(metering.test);
    // The number of resets remains.
    expect(await ofCurrent()).toEqual([`test_generations {"_id":"${workspaceId}","current":2}`]);
    expect((await balanceOf('test', workspaceId))?.used).toEqual(unitsOf({ lookupCached: 5 }));
    expect(await idsOf()).toEqual(untouched);
  });

  it('the reconciler repairs usage after a reset and leaves the data from before it, of which parts may be deleted', async () => {
    const workspaceId = newWorkspace();
    await use('test', small(workspaceId, 3));
    await reset(workspaceId);
    await use('test', small(workspaceId, 4));
    const ledger = metering.db.collection('test_ledger');
    const counters = metering.db.collection<{ _id: string }>('test_usage_counters');
    await ledger.deleteMany({ workspaceId });
    await counters.updateMany({ workspaceId: `${workspaceId}~1` }, { $set: { 'used.lookupCached': 9 } });
    const before = await counters.find({ workspaceId }).toArray();
    const repairs = await createReconciler(metering.test).tick();
    expect(repairs.repaired).toBe(2);
    expect((await balanceOf('test', workspaceId))?.used).toEqual(unitsOf({ lookupCached: 4 }));
    expect(await counters.find({ workspaceId }).toArray()).toEqual(before);
  });

  it('the deletion of a workspace begins a new generation of its test data, and its live usage stays', async () => {
    const workspaceId = newWorkspace();
    await use('live', small(workspaceId, 4));
    await use('test', small(workspaceId, 5));
    await deleteWorkspace(workspaceId);
    const deletedAtMs = metering.clock.now();
    expect((await balanceOf('test', workspaceId))?.taken).toEqual(unitsOf({}));
    expect((await balanceOf('live', workspaceId))?.used).toEqual(unitsOf({ lookupCached: 4 }));
    // A key that is not revoked everywhere yet.
    await use('test', small(workspaceId, 1));
    metering.clock.advance(3 * minuteMs);
    await deleteEndedGenerations(metering.test);
    const left = (await documentsOf('test', workspaceId)).map((text) => text.split(' ', 1)[0]);
    expect(left).toEqual(['test_generations']);
    const generations = metering.db.collection<{ _id: string }>('test_generations');
    expect(await generations.findOne({ _id: workspaceId })).toMatchObject({
      forgetAt: new Date(deletedAtMs + dayMs),
    });
  });

  it('the reconciler adds no document of the last generation of a deleted workspace, whose data is deleted meanwhile', async () => {
    const workspaceId = newWorkspace();
    await use('test', small(workspaceId, 5));
    await deleteWorkspace(workspaceId);
    await use('test', small(workspaceId, 1));
    // The entries are old enough for a checkpoint, and too young for their deletion.
    metering.clock.advance(2.5 * minuteMs);
    const periodStartMs = currentPeriodMs(metering.clock);
    const repaired = [workspaceId, `${workspaceId}~1`].map((owner) =>
      reconcilePeriods(metering.test, [{ workspaceId: owner, periodStartMs }]),
    );
    expect(await Promise.all(repaired)).toEqual([0, 0]);
    const checkpoints = (await documentsOf('test', workspaceId)).filter((text) => text.startsWith('test_checkpoints'));
    expect(checkpoints).toEqual([]);
  });

  it('a reset that finds no usage begins no generation, and one that finds only a set allowance does', async () => {
    const workspaceId = newWorkspace();
    for (let n = 0; n < 3; n++) await reset(workspaceId);
    expect(await documentsOf('test', workspaceId)).toEqual([]);
    await setLeft(workspaceId, 1);
    for (let n = 0; n < 3; n++) await reset(workspaceId);
    const ended = metering.db.collection<{ _id: string }>('test_ended_generations');
    expect(await ended.countDocuments({ _id: { $regex: `^${workspaceId}` } })).toBe(1);
    expect((await balanceOf('test', workspaceId))?.taken).toEqual(unitsOf({}));
  });

  it('a call that runs during a reset ends without an effect on the usage after it', async () => {
    const workspaceId = newWorkspace();
    await use('test', small(workspaceId, 2));
    const items = Array.from({ length: 20 }, () => small(workspaceId, 1));
    const [, ...results] = await Promise.all([reset(workspaceId), ...items.map((item) => reserve('test', item))]);
    const events = results.map((result, n) => eventOf(items[n] as ReserveItem, result));
    await metering.publish(events, 'test');
    await metering.settle();
    const balance = await balanceOf('test', workspaceId);
    const { used, reserved, taken } = balance ?? {};
    expect(reserved).toEqual(unitsOf({}));
    expect(taken).toEqual(used);
    expect(used?.lookupCached).toBeLessThanOrEqual(20);
  });
});
