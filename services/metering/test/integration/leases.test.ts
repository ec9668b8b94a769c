import { createDeadline } from '@shopscope/async';
import { dayMs, minuteMs, periodAt, systemClock } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import {
  type LeaseAsk,
  LeaseOutcome,
  leasableUnits,
  ReserveOutcome,
  UsageKind,
  type UsageRecorded,
  unitNames,
  unitsOf,
} from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowanceKey, type UsageEvent } from '../../src/domain/fold.ts';
import { reserveItem, usageEvent } from '../../src/inbound/decode.ts';
import { createLeaseCloser } from '../../src/operations/close-leases.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { leaseAllowance } from '../../src/operations/lease-allowance.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import type { LeasedAllowance } from '../../src/outbound/mongo/leases.ts';
import { Crashed } from './crashing.ts';
import {
  allRead,
  currentPeriodMs,
  itemOf,
  type Metering,
  type MeteringClient,
  newWorkspace,
  origin,
  startMeterings,
} from './harness.ts';

/** A gateway's side of one lease. */
interface Lease {
  workspaceId: string;
  id: string;
  gatewayId: string;
  calls: number;
  spent: number;
  usableMs?: number;
}

const included = 1_600;
const unread = { ends: async () => new Map([[0, 5n]]), consumed: async () => new Map([[0, 4n]]) };

describe.each(leasableUnits)('leases of %s units', (unit) => {
  let metering: Metering;
  let periodStartMs: number;
  beforeAll(async () => {
    metering = await startMeterings(`leases-${unit}`, { instances: 1 });
    periodStartMs = currentPeriodMs(metering.clock);
  });
  afterAll(() => metering?.stop());

  const deadline = () => createDeadline(20_000);
  const newLease = (over: Partial<Lease> = {}): Lease => ({
    workspaceId: newWorkspace(),
    id: newId('lse'),
    gatewayId: 'gw_1',
    calls: 0,
    spent: 0,
    ...over,
  });
  /** The next call of the gateway, or the call with the given number. */
  const ask = async (
    lease: Lease,
    wanted: number,
    over: { call?: number; sentAtMs?: number; isFinal?: boolean; included?: number; deps?: Dependencies } = {},
  ) => {
    const call = over.call ?? ++lease.calls;
    const [grant] = await leaseAllowance(
      over.deps ?? metering.deps,
      lease.gatewayId,
      [
        {
          workspaceId: lease.workspaceId,
          leaseId: lease.id,
          unit,
          call,
          sentAtMs: over.sentAtMs ?? Date.now(),
          wanted,
          spent: lease.spent,
          isFinal: over.isFinal ?? false,
          periodStartMs: call === 1 ? 0 : periodStartMs,
          included: unitsOf({ [unit]: over.included ?? included }),
        },
      ],
      { deadline: deadline() },
    );
    if (!grant) throw new Error('no grant');
    if (grant.outcome === LeaseOutcome.GRANTED) lease.usableMs = grant.usableMs;
    return grant.outcome === LeaseOutcome.GRANTED ? grant.granted : 'direct';
  };
  const eventOf = (lease: Lease, n: number, kind: 'count' | 'void' = 'count'): UsageEvent => ({
    kind,
    chargeId: `${lease.id}-${n}`,
    attempt: 1,
    workspaceId: lease.workspaceId,
    keyId: 'key_a',
    units: unitsOf({ [unit]: 1 }),
    periodStartMs,
    operation: 'getStore',
    occurredAtMs: metering.clock.now(),
    leaseId: lease.id,
  });
  const record = (...events: UsageEvent[]) => recordUsage(metering.deps, events, deadline());
  const spend = async (lease: Lease, units: number) => {
    const from = lease.spent;
    lease.spent += units;
    await record(...Array.from({ length: units }, (_, n) => eventOf(lease, from + n)));
  };
  /** Returns the used units, and the reserved or lent units. */
  const balanceOf = async ({ workspaceId }: Lease) => {
    const { balance } = await getUsage(metering.deps, workspaceId, { origin, deadline: deadline() });
    // Nothing else is taken.
    for (const amounts of [balance.used, balance.reserved]) expect(amounts).toEqual(unitsOf({ [unit]: amounts[unit] }));
    return [balance.used[unit], balance.reserved[unit]];
  };
  const documentOf = ({ workspaceId }: Lease) =>
    metering.db.collection<{ _id: string }>('allowances').findOne({ _id: allowanceKey(workspaceId, periodStartMs) });
  /** MongoDB's time decides about leases, so a test moves their instants back instead of waiting. */
  const age = async ({ workspaceId }: Lease, ms: number) => {
    const moved = { openedAt: { $subtract: ['$$this.openedAt', ms] }, endsAt: { $subtract: ['$$this.endsAt', ms] } };
    await metering.db
      .collection<{ _id: string }>('allowances')
      .updateOne({ _id: allowanceKey(workspaceId, periodStartMs) }, [
        { $set: { leases: { $map: { input: '$leases', in: { $mergeObjects: ['$$this', moved] } } } } },
      ]);
  };
  /** Runs the closing of leases once. */
  const closeLeases = async (progress = allRead, deps = metering.deps) => {
    await createLeaseCloser(deps, progress).tick();
  };
  const isExact = async ({ workspaceId }: Lease) =>
    expect(await reconcilePeriods(metering.deps, [{ workspaceId, periodStartMs }])).toBe(0);

  it('a lease grants what is wanted up to a sixteenth of what is left, and grows with the next call', async () => {
    const lease = newLease();
    expect(await ask(lease, 5)).toBe(5);
    expect(await balanceOf(lease)).toEqual([0, 5]);
    expect(await ask(lease, 500)).toBe(5 + Math.floor((included - 5) / 16));
    await isExact(lease);
  });

  it('a lease lasts 16 s when 64 times the lent units are left, else 2 s, and never ends before the end that an earlier call returned', async () => {
    const lease = newLease();
    const allowance = allowanceKey(lease.workspaceId, periodStartMs);
    await ask(lease, Math.floor(included / 64));
    expect(lease.usableMs).toBe(16_000);
    const endsAt = async () =>
      (await metering.deps.leases.findMany([allowance], { maxTimeMS: 5_000 })).get(allowance)?.leases[0]?.endsAt;
    const before = await endsAt();
    await ask(lease, Math.floor(included / 64) + 1);
    expect(lease.usableMs).toBe(2_000);
    expect(await endsAt()).toEqual(before);
    await ask(lease, 0);
    expect(await endsAt()).toEqual(before);
    await isExact(lease);
  });

  it('a late, repeated or older call changes nothing of a lease', async () => {
    const lease = newLease();
    await ask(lease, 5);
    await ask(lease, 9);
    expect(await ask(lease, 90, { call: 2 })).toBe(9);
    expect(await ask(lease, 90, { call: 1 })).toBe('direct');
    expect(await ask(newLease(), 5, { call: 2 })).toBe('direct');
    for (const sentAtMs of [Date.now() - 21_000, Date.now() + 21_000]) {
      expect(await ask(newLease(), 5, { sentAtMs })).toBe('direct');
    }
    expect(await balanceOf(lease)).toEqual([0, 9]);
    await isExact(lease);
  });

  it('a lease moves units from lent to used, and its gateway can return units that it has not spent', async () => {
    const lease = newLease();
    await ask(lease, 10);
    await spend(lease, 3);
    expect(await balanceOf(lease)).toEqual([3, 7]);
    expect(await ask(lease, 4)).toBe(4);
    expect(await balanceOf(lease)).toEqual([3, 1]);
    expect(await ask(lease, 4, { isFinal: true })).toBe('direct');
    expect(await balanceOf(lease)).toEqual([3, 0]);
    expect(await ask(lease, 9)).toBe('direct');
    await isExact(lease);
  });

  it('a lease counts an event once, however often it arrives', async () => {
    const lease = newLease();
    await ask(lease, 2);
    const event = eventOf(lease, 0);
    await record(event, event);
    await record(event, eventOf(lease, 1));
    expect(await balanceOf(lease)).toEqual([2, 0]);
    await isExact(lease);
  });

  it('a lease gives the unit of a voided charge back, before its event and after it', async () => {
    const lease = newLease();
    await ask(lease, 3);
    await record(eventOf(lease, 0, 'void'), eventOf(lease, 0), eventOf(lease, 1), eventOf(lease, 1, 'void'));
    expect(await balanceOf(lease)).toEqual([0, 1]);
    await isExact(lease);
  });

  it('a lease is removed once its gateway has ended it and every unit is in the ledger', async () => {
    const lease = newLease();
    await ask(lease, 2);
    await spend(lease, 1);
    lease.spent += 1;
    await ask(lease, 2, { isFinal: true });
    await age(lease, minuteMs);
    await closeLeases(unread);
    expect(await documentOf(lease)).toHaveProperty('leases');
    await record(eventOf(lease, 1));
    await closeLeases(unread);
    expect(await documentOf(lease)).not.toHaveProperty('leases');
    expect(await balanceOf(lease)).toEqual([2, 0]);
    await isExact(lease);
  });

  it('a lease stays for 50 s after its opening, so that a late first call cannot open it again at any primary', async () => {
    const lease = newLease();
    const sentAtMs = Date.now();
    await ask(lease, 2, { sentAtMs });
    await ask(lease, 0, { isFinal: true });
    await closeLeases();
    expect(await ask(lease, 2, { call: 1, sentAtMs })).toBe('direct');
    expect(await balanceOf(lease)).toEqual([0, 0]);
    // The rest of the 50 s is for a slow machine.
    await age(lease, 20_000);
    await closeLeases();
    expect(await documentOf(lease)).toHaveProperty('leases');
    await age(lease, 30_001);
    await closeLeases();
    expect(await documentOf(lease)).not.toHaveProperty('leases');
  });

  it('a lease of a gateway that died returns its units 42 s after its end, and not before usage.v1 is read', async () => {
    const lease = newLease();
    await ask(lease, 10);
    await spend(lease, 4);
    await closeLeases();
    expect(await balanceOf(lease)).toEqual([4, 6]);
    await age(lease, minuteMs);
    await closeLeases(unread);
    expect(await balanceOf(lease)).toEqual([4, 6]);
    expect(await ask(lease, 20)).toBe('direct');
    await record(eventOf(lease, 4));
    await closeLeases();
    expect(await balanceOf(lease)).toEqual([5, 0]);
    expect(await documentOf(lease)).not.toHaveProperty('leases');
    await isExact(lease);
  });

  it('a closed lease accepts a late event while the allowance holds it, and refuses it otherwise', async () => {
    const lease = newLease();
    await ask(lease, 3, { included: 100 });
    await age(lease, minuteMs);
    await closeLeases();
    await record(eventOf(lease, 0));
    expect(await balanceOf(lease)).toEqual([1, 0]);

    const item = itemOf(lease.workspaceId, { units: { [unit]: 99 }, included: { [unit]: 100 } });
    await reserve(metering.deps, [reserveItem(item)], deadline());
    expect([...(await record(eventOf(lease, 1)))]).toEqual([`${lease.id}-1/1`]);
    // Once more, from the dead letters.
    expect([...(await record(eventOf(lease, 1)))]).toEqual([`${lease.id}-1/1`]);
    expect(await balanceOf(lease)).toEqual([1, 99]);
    await isExact(lease);
  });

  it('the events of grants that a restored database lacks take their units from the allowance', async () => {
    const lease = newLease();
    await ask(lease, 10);
    await spend(lease, 2);
    // A dump has four units granted and two settled. Six more were granted and spent after it.
    await metering.db
      .collection<{ _id: string }>('allowances')
      .updateOne(
        { _id: allowanceKey(lease.workspaceId, periodStartMs) },
        { $set: { 'leases.0.granted': 4, [`taken.${unit}`]: 4 } },
      );
    await spend(lease, 8);
    expect(await balanceOf(lease)).toEqual([10, 0]);
    await isExact(lease);
  });

  it('a lease is closed once, by any number of instances at the same time', async () => {
    const lease = newLease();
    await ask(lease, 10);
    await spend(lease, 4);
    await age(lease, minuteMs);
    await Promise.all(Array.from({ length: 6 }, () => closeLeases()));
    expect(await balanceOf(lease)).toEqual([4, 0]);
    await isExact(lease);
  });

  it('a lease is removed by the next run when an instance crashes after it closed the count', async () => {
    const lease = newLease();
    await ask(lease, 10);
    await spend(lease, 4);
    await age(lease, minuteMs);
    const { deps } = metering;
    const remove: typeof deps.leases.remove = (removed, ...rest) =>
      removed.some(({ id }) => id === lease.id) ? Promise.reject(new Crashed()) : deps.leases.remove(removed, ...rest);
    const crashing = { ...deps, leases: { ...deps.leases, remove } };
    await closeLeases(allRead, crashing);
    // An event between the two: the count is closed, so it is late.
    await record(eventOf(lease, 4));
    expect(await balanceOf(lease)).toEqual([5, 6]);
    await isExact(lease);
    await closeLeases(unread);
    expect(await balanceOf(lease)).toEqual([5, 0]);
    await isExact(lease);
  });

  it('a lease is overdue from the earliest time to mark it as ended until it is closed', async () => {
    const deps = { ...metering.deps, clock: systemClock };
    const overdueS = async () => {
      const metric = await metering.registry.getSingleMetric('metering_leases_overdue_seconds')?.get();
      return metric?.values[0]?.value ?? Number.NaN;
    };
    const lease = newLease();
    await ask(lease, 2);
    await closeLeases(unread, deps);
    expect(await overdueS()).toBe(0);
    // It ends 16 s after its call, and can be marked 42 s later.
    await age(lease, 400_000);
    await closeLeases(unread, deps);
    expect(await overdueS()).toBeGreaterThanOrEqual(400 - 58);
    expect(await overdueS()).toBeLessThan(400);
    await closeLeases(allRead, deps);
    await closeLeases(allRead, deps);
    expect(await overdueS()).toBe(0);
  });

  it('a lease whose update fails twice is not granted, and is counted as failed', async () => {
    const failed = async () => {
      const metric = await metering.registry.getSingleMetric('metering_lease_asks_total')?.get();
      return (
        metric?.values.find(({ labels }) => labels.outcome === 'failed' && labels.unit === unitNames[unit])?.value ?? 0
      );
    };
    const before = await failed();
    const grant = () => Promise.reject(new Error('no primary'));
    const deps = { ...metering.deps, leases: { ...metering.deps.leases, grant } };
    expect(await ask(newLease(), 2, { deps })).toBe('direct');
    expect(await failed()).toBe(before + 1);
    const findMany = () => Promise.reject(new Error('no primary'));
    const unreadable = { ...metering.deps, leases: { ...metering.deps.leases, findMany } };
    await expect(ask(newLease(), 2, { deps: unreadable })).rejects.toThrow('no primary');
    expect(await failed()).toBe(before + 2);
  });

  it('a lease whose call takes too long while its updates run again causes no unhandled rejection', async () => {
    let calls = 0;
    // The first update, the reading, and the second update of the first lease are in time.
    const timeoutMs = () => {
      calls += 1;
      if (calls > 3) throw new Error('the deadline has expired');
      return 1_000;
    };
    const grant = () => Promise.reject(new Error('operation exceeded time limit'));
    const deps = { ...metering.deps, leases: { ...metering.deps.leases, grant } };
    const asks = [newLease(), newLease(), newLease()].map(({ workspaceId, id: leaseId }) => ({
      workspaceId,
      leaseId,
      call: 1,
      sentAtMs: Date.now(),
      wanted: 1,
      spent: 0,
      isFinal: false,
      periodStartMs: 0,
      unit,
      included: unitsOf({ [unit]: included }),
    }));
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      const call = leaseAllowance(deps, 'gw_1', asks, { deadline: { ...deadline(), timeoutMs } });
      await expect(call).rejects.toThrow('the deadline has expired');
      // Node reports a rejection without a handler after the microtasks.
      await new Promise((done) => setImmediate(done));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('an allowance with leases, Reserve calls and events at the same time is never oversold', async () => {
    const workspaceId = newWorkspace();
    const leases = Array.from({ length: 6 }, (_, n) => newLease({ workspaceId, gatewayId: `gw_${n % 3}` }));
    const limit = 300;
    await Promise.all([
      ...leases.map(async (lease) => {
        for (let round = 0; round < 12; round++) {
          const granted = await ask(lease, lease.spent + 5, { included: limit });
          if (granted !== 'direct') await spend(lease, granted - lease.spent);
        }
      }),
      ...Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 8; n++) {
          const item = itemOf(workspaceId, { units: { [unit]: 4 }, included: { [unit]: limit } });
          await metering.clients[0]?.reserve({ items: [item] });
        }
      }),
    ]);
    const [used = 0, held = 0] = await balanceOf(leases[0] as Lease);
    expect(used).toBeGreaterThan(0);
    expect(used + held).toBeLessThanOrEqual(limit);
    await isExact(leases[0] as Lease);
  });

  it('a lease is refused beyond two leases of a gateway or 64 of an allowance, and when little is left', async () => {
    const workspaceId = newWorkspace();
    const first = [newLease({ workspaceId }), newLease({ workspaceId }), newLease({ workspaceId })];
    expect(await Promise.all(first.map((lease) => ask(lease, 1))).then((all) => all.toSorted())).toEqual([
      1,
      1,
      'direct',
    ]);
    const others = Array.from({ length: 64 }, (_, n) => newLease({ workspaceId, gatewayId: `gw_${n + 2}` }));
    const outcomes = await Promise.all(others.map((lease) => ask(lease, 1)));
    expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(62);
    expect(await ask(newLease(), 1, { included: 15 })).toBe('direct');
  });

  it('a lease that holds the rest of the allowance causes no refusal: Reserve says that the units are lent', async () => {
    const lease = newLease();
    const small = 32;
    await ask(lease, 2, { included: small });
    const item = (amount: number) =>
      itemOf(lease.workspaceId, { units: { [unit]: amount }, included: { [unit]: small } });
    const [client] = metering.clients as [MeteringClient];
    const outcomeOf = async (amount: number) => {
      const { results } = await client.reserve({ items: [item(amount)] });
      return results[0]?.outcome;
    };
    // Of 32 units two are lent. 31 would fit without the lease, 33 would not.
    expect(await outcomeOf(33)).toBe(ReserveOutcome.EXHAUSTED);
    expect(await outcomeOf(31)).toBe(ReserveOutcome.LENT);
    expect(await outcomeOf(30)).toBe(ReserveOutcome.GRANTED);
    expect(await outcomeOf(1)).toBe(ReserveOutcome.LENT);
    await spend(lease, 1);
    await ask(lease, 1, { isFinal: true, included: small });
    expect(await outcomeOf(1)).toBe(ReserveOutcome.GRANTED);
    expect(await outcomeOf(1)).toBe(ReserveOutcome.EXHAUSTED);
    expect(await balanceOf(lease)).toEqual([1, 31]);
    await isExact(lease);
  });

  it('a lease does not grow past what a smaller plan includes', async () => {
    const lease = newLease();
    await ask(lease, 50);
    expect(await ask(lease, 60, { included: 40 })).toBe(50);
    expect(await balanceOf(lease)).toEqual([0, 50]);
  });

  it('a lease of the month that ended is settled in that month', async () => {
    const lease = newLease();
    await ask(lease, 5);
    const nowMs = metering.clock.now();
    metering.clock.setWall(periodStartMs + 32 * dayMs);
    try {
      expect(await ask(lease, 9)).toBe(5);
      await spend(lease, 2);
      await ask(lease, 2, { isFinal: true });
    } finally {
      metering.clock.setWall(nowMs);
    }
    expect(await balanceOf(lease)).toEqual([2, 0]);
    await isExact(lease);
  });

  it('a lease is found in each period of its workspace, also where a page of leased allowances ends between the two', async () => {
    const lease = newLease();
    await ask(lease, 1);
    const now = await documentOf(lease);
    const before = new Date(periodAt(periodStartMs - 1).startMs);
    const id = allowanceKey(lease.workspaceId, before.getTime());
    await metering.db
      .collection<{ _id: string; periodStart: Date }>('allowances')
      .insertOne({ ...now, _id: id, periodStart: before });
    const pages: string[] = [];
    for (let after: LeasedAllowance | undefined; ; ) {
      [after] = await metering.deps.leases.leased(after, 1, 5_000);
      if (!after) break;
      pages.push(after.id);
    }
    expect(pages.filter((page) => page.startsWith(lease.workspaceId))).toEqual([id, now?._id]);
    expect(new Set(pages).size).toBe(pages.length);
  });

  it('a lease is granted while a dead instance has left a transaction open on the allowance', async () => {
    const lease = newLease();
    await ask(lease, 1);
    const session = metering.db.client.startSession();
    try {
      session.startTransaction();
      await metering.db
        .collection<{ _id: string }>('allowances')
        .updateOne(
          { _id: allowanceKey(lease.workspaceId, periodStartMs) },
          { $inc: { 'taken.lookupLive': 1 } },
          { session },
        );
      const kill = async () => void (await session.abortTransaction());
      const deps = { ...metering.deps, killAbandonedTransactions: kill };
      expect(await ask(lease, 7, { deps })).toBe(7);
    } finally {
      await session.endSession();
    }
  });

  it('a lease is granted by LeaseAllowance, charged by usage.v1 and RecordUsage, and voided by VoidCharge', async () => {
    const [client] = metering.clients as [MeteringClient];
    const lease = newLease();
    const message: LeaseAsk = {
      workspaceId: lease.workspaceId,
      leaseId: lease.id,
      callNumber: 1,
      sentAtMs: Date.now(),
      wanted: 5,
      spent: 0,
      final: false,
      included: unitsOf({ [unit]: included }),
      periodStartMs: 0,
      unit: unitNames[unit],
    };
    const asks = [message, { ...message, leaseId: newId('lse'), callNumber: 2, periodStartMs }];
    const { grants } = await client.leaseAllowance({ gatewayId: lease.gatewayId, asks });
    expect(grants).toMatchObject([
      { outcome: LeaseOutcome.GRANTED, granted: 5, periodStartMs },
      { outcome: LeaseOutcome.DIRECT, granted: 0, periodStartMs },
    ]);
    const event = (n: number): UsageRecorded => ({ ...eventOf(lease, n), kind: UsageKind.CHARGE });
    await metering.publish([event(0), event(1)]);
    await metering.settle();
    await client.recordUsage({ events: [event(2)] });
    const { units, chargeId, ...voided } = event(1);
    await client.voidCharge({ ...voided, chargeId, lease: { leaseId: lease.id, units, periodStartMs } });
    expect(await balanceOf(lease)).toEqual([2, 2]);
    expect(await client.recordUsage({ events: [event(1), event(3)] })).toEqual({
      refusedChargeIds: [`${lease.id}-1`],
    });
    expect(await balanceOf(lease)).toEqual([3, 1]);
    await isExact(lease);
  });

  it.each([
    ['wanted', { wanted: 1, spent: 2 }],
    ['spent', { spent: -1 }],
    ['call_number', { callNumber: 0 }],
    ['period_start_ms', { callNumber: 2 }],
    ['lease_id', { leaseId: 'a b' }],
    ['unit', { unit: '' }],
  ])('LeaseAllowance refuses a call with an invalid %s, and the error names the field', async (field, over) => {
    const [client] = metering.clients as [MeteringClient];
    const valid = {
      workspaceId: newWorkspace(),
      leaseId: newId('lse'),
      callNumber: 1,
      sentAtMs: Date.now(),
      wanted: 1,
      spent: 0,
    };
    const rest = { final: false, included: unitsOf({ [unit]: included }), periodStartMs: 0, unit: unitNames[unit] };
    const invalid = { ...valid, ...rest, ...over };
    await expect(client.leaseAllowance({ gatewayId: 'gw_1', asks: [invalid] })).rejects.toThrow(field);
  });

  it.each([
    ['charge_id', { chargeId: 'chg_1' }],
    ['units', { units: unitsOf({ [unit]: 1, lookupLive: 1 }) }],
    ['attempt', { attempt: 2 }],
  ])('an event of a lease with an invalid %s is refused', (field, over) => {
    const lease = newLease();
    const event = { ...eventOf(lease, 0), kind: UsageKind.CHARGE };
    expect(usageEvent(event)).toMatchObject({ leaseId: lease.id });
    expect(() => usageEvent({ ...event, ...over })).toThrow(field);
  });
});
