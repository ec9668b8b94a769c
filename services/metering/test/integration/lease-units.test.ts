import { createDeadline } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import {
  type LeasableUnit,
  type LeaseAsk,
  LeaseOutcome,
  leasableUnits,
  ReserveOutcome,
  type ReserveResult,
  unitNames,
  unitsOf,
} from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowanceKey, type UsageEvent } from '../../src/domain/fold.ts';
import { createLeaseCloser } from '../../src/operations/close-leases.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
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

const included = { lookupCached: 1_600, historyQuery: 320 };

/** One call about one lease, as gateways send it. */
interface Call {
  workspaceId: string;
  unit: LeasableUnit;
  leaseId?: string;
  callNumber?: number;
  wanted?: number;
  spent?: number;
  final?: boolean;
  included?: Partial<Record<LeasableUnit, number>>;
}

/** An allowance whose document has leases of both units. */
describe('leases of two units', () => {
  let metering: Metering;
  let client: MeteringClient;
  let periodStartMs: number;
  beforeAll(async () => {
    metering = await startMeterings('lease-units', { instances: 1, env: { SWEEP_INTERVAL_MS: '300000' } });
    [client] = metering.clients as [MeteringClient];
    periodStartMs = currentPeriodMs(metering.clock);
  });
  afterAll(() => metering?.stop());

  const deadline = () => createDeadline(20_000);
  const messageOf = (call: Call): LeaseAsk => ({
    workspaceId: call.workspaceId,
    leaseId: call.leaseId ?? newId('lse'),
    callNumber: call.callNumber ?? 1,
    sentAtMs: Date.now(),
    wanted: call.wanted ?? 1,
    spent: call.spent ?? 0,
    final: call.final ?? false,
    periodStartMs: (call.callNumber ?? 1) === 1 ? 0 : periodStartMs,
    included: unitsOf(call.included ?? included),
    unit: unitNames[call.unit],
  });
  /** Returns the units that the calls were granted. 0 means `direct`. */
  const lease = async (calls: readonly Call[], gatewayId = 'gw_1') => {
    const { grants } = await client.leaseAllowance({ gatewayId, asks: calls.map(messageOf) });
    return grants.map(({ outcome, granted }) => (outcome === LeaseOutcome.GRANTED ? granted : 0));
  };
  const eventOf = (workspaceId: string, leaseId: string, n: number, unit: LeasableUnit): UsageEvent => ({
    kind: 'count',
    chargeId: `${leaseId}-${n}`,
    attempt: 1,
    workspaceId,
    keyId: 'key_a',
    units: unitsOf({ [unit]: 1 }),
    periodStartMs,
    operation: 'getStore',
    occurredAtMs: metering.clock.now(),
    leaseId,
  });
  const record = (...events: UsageEvent[]) => recordUsage(metering.deps, events, deadline());
  /** Used units, and those that are reserved or lent: look-ups first. */
  const balanceOf = async (workspaceId: string) => {
    const { balance } = await getUsage(metering.deps, workspaceId, { origin, deadline: deadline() });
    return leasableUnits.map((unit) => [balance.used[unit], balance.reserved[unit]]);
  };
  const allowances = () => metering.db.collection<{ _id: string; leases?: { id: string }[] }>('allowances');
  const documentOf = (workspaceId: string) => allowances().findOne({ _id: allowanceKey(workspaceId, periodStartMs) });
  const age = (workspaceId: string) => {
    const moved = Object.fromEntries(
      ['openedAt', 'endsAt'].map((member) => [member, { $subtract: [`$$this.${member}`, minuteMs] }]),
    );
    return allowances().updateOne({ _id: allowanceKey(workspaceId, periodStartMs) }, [
      { $set: { leases: { $map: { input: '$leases', in: { $mergeObjects: ['$$this', moved] } } } } },
    ]);
  };
  const closeLeases = () => createLeaseCloser(metering.deps, allRead).tick();
  const isExact = async (workspaceId: string) =>
    expect(await reconcilePeriods(metering.deps, [{ workspaceId, periodStartMs }])).toBe(0);
  const returnedUnits = async (unit: LeasableUnit) => {
    const metric = await metering.registry.getSingleMetric('metering_lease_units_returned_total')?.get();
    return metric?.values.find(({ labels }) => labels.unit === unitNames[unit])?.value ?? 0;
  };

  it('one call grants leases of two units, each from the allowance of its unit', async () => {
    const workspaceId = newWorkspace();
    const calls = [
      { workspaceId, unit: 'historyQuery', wanted: 90 },
      { workspaceId, unit: 'lookupCached', wanted: 90 },
    ] as const;
    expect(await lease(calls)).toEqual([20, 90]);
    expect(await balanceOf(workspaceId)).toEqual([
      [0, 90],
      [0, 20],
    ]);
    await isExact(workspaceId);
  });

  it('a call that asks for a unit that leases do not lend is granted no lease, and the error names the field', async () => {
    const workspaceId = newWorkspace();
    const asks = [
      messageOf({ workspaceId, unit: 'historyQuery' }),
      { ...messageOf({ workspaceId, unit: 'historyQuery' }), unit: 'lookup_live' },
    ];
    await expect(client.leaseAllowance({ gatewayId: 'gw_1', asks })).rejects.toThrow('unit');
    expect(await balanceOf(workspaceId)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('the allowance keeps the newest plan when leases of two units return units that were lent under an older one', async () => {
    const workspaceId = newWorkspace();
    const leaseId = newId('lse');
    const larger = { lookupCached: 250_000, historyQuery: 25_000 };
    await lease([{ workspaceId, unit: 'historyQuery', leaseId, wanted: 10 }]);
    await lease([{ workspaceId, unit: 'lookupCached', included: larger }]);
    await lease([{ workspaceId, unit: 'historyQuery', leaseId, callNumber: 2, wanted: 2, spent: 2 }]);
    expect(await documentOf(workspaceId)).toMatchObject({ included: larger });
    expect((await balanceOf(workspaceId))[1]).toEqual([0, 2]);
  });

  it('leases of two units return to the allowance of their unit, even when the same run closes both', async () => {
    const workspaceId = newWorkspace();
    const [lookUps, queries] = [newId('lse'), newId('lse')];
    await lease([
      { workspaceId, unit: 'lookupCached', leaseId: lookUps, wanted: 10 },
      { workspaceId, unit: 'historyQuery', leaseId: queries, wanted: 7 },
    ]);
    await record(eventOf(workspaceId, lookUps, 0, 'lookupCached'), eventOf(workspaceId, queries, 0, 'historyQuery'));
    await age(workspaceId);
    const before = [await returnedUnits('lookupCached'), await returnedUnits('historyQuery')] as const;
    await closeLeases();
    expect(await balanceOf(workspaceId)).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(await documentOf(workspaceId)).not.toHaveProperty('leases');
    expect([
      (await returnedUnits('lookupCached')) - before[0],
      (await returnedUnits('historyQuery')) - before[1],
    ]).toEqual([9, 6]);
    await isExact(workspaceId);
  });

  it('a lease of one unit leaves what is taken of another unit as it was stored', async () => {
    const workspaceId = newWorkspace();
    await lease([{ workspaceId, unit: 'historyQuery', wanted: 3 }]);
    expect(await documentOf(workspaceId)).toMatchObject({ taken: { historyQuery: 3 } });
    await age(workspaceId);
    await closeLeases();
    expect(await documentOf(workspaceId)).toHaveProperty('taken', { historyQuery: 0 });
  });

  it('leases are bounded by unit: neither unit keeps out leases of the other one', async () => {
    const workspaceId = newWorkspace();
    const both = leasableUnits.map((unit) => ({ workspaceId, unit }));
    expect(await lease(both)).toEqual([1, 1]);
    expect(await lease(both)).toEqual([1, 1]);
    expect(await lease(both)).toEqual([0, 0]);
  });

  it('a lease cannot change its unit: a call about another unit changes nothing', async () => {
    const workspaceId = newWorkspace();
    const leaseId = newId('lse');
    await lease([{ workspaceId, unit: 'historyQuery', leaseId, wanted: 5 }]);
    expect(await lease([{ workspaceId, unit: 'lookupCached', leaseId, callNumber: 2, wanted: 9 }])).toEqual([0]);
    expect(
      await lease([{ workspaceId, unit: 'lookupCached', leaseId, callNumber: 3, final: true, wanted: 0 }]),
    ).toEqual([0]);
    expect(await balanceOf(workspaceId)).toEqual([
      [0, 0],
      [0, 5],
    ]);
    expect(await lease([{ workspaceId, unit: 'historyQuery', leaseId, callNumber: 2, wanted: 6 }])).toEqual([6]);
  });

  it('a lease pays for charges of its unit only: another charge takes from its own allowance', async () => {
    const workspaceId = newWorkspace();
    const leaseId = newId('lse');
    await lease([{ workspaceId, unit: 'historyQuery', leaseId, wanted: 5 }]);
    await record(eventOf(workspaceId, leaseId, 0, 'lookupCached'), eventOf(workspaceId, leaseId, 1, 'historyQuery'));
    expect(await balanceOf(workspaceId)).toEqual([
      [1, 0],
      [1, 4],
    ]);
    await isExact(workspaceId);
  });

  it('leases are no reason for a 402 of their unit, and no reason for a wait of another unit', async () => {
    const workspaceId = newWorkspace();
    const small = { lookupCached: 32, historyQuery: 32 };
    const leaseId = newId('lse');
    await lease([{ workspaceId, unit: 'historyQuery', leaseId, wanted: 2, included: small }]);
    const reserved = async (units: Partial<Record<LeasableUnit, number>>): Promise<ReserveResult> => {
      const { results } = await client.reserve({ items: [itemOf(workspaceId, { units, included: small })] });
      return results[0] as ReserveResult;
    };
    expect(await reserved({ historyQuery: 31 })).toMatchObject({ outcome: ReserveOutcome.LENT });
    const lookUps = await reserved({ lookupCached: 33 });
    expect(lookUps).toMatchObject({ outcome: ReserveOutcome.EXHAUSTED, exhaustedUnit: 'lookup_cached' });
    expect(await reserved({ lookupCached: 32, historyQuery: 30 })).toMatchObject({ outcome: ReserveOutcome.GRANTED });
    expect(await reserved({ lookupCached: 1, historyQuery: 1 })).toMatchObject({
      outcome: ReserveOutcome.EXHAUSTED,
      exhaustedUnit: 'lookup_cached',
    });
    // Two events of two lent units, and nothing is lent any more.
    await record(eventOf(workspaceId, leaseId, 0, 'historyQuery'), eventOf(workspaceId, leaseId, 1, 'historyQuery'));
    const sold = await reserved({ historyQuery: 1 });
    expect(sold).toMatchObject({ outcome: ReserveOutcome.EXHAUSTED, exhaustedUnit: 'history_query' });
    await isExact(workspaceId);
  });

  it('a 402 names the unit that is spent, and not one that is lent', async () => {
    const workspaceId = newWorkspace();
    const small = { lookupCached: 32, historyQuery: 32 };
    await lease([{ workspaceId, unit: 'lookupCached', leaseId: newId('lse'), wanted: 2, included: small }]);
    const reserved = async (units: Partial<Record<LeasableUnit, number>>) => {
      const { results } = await client.reserve({ items: [itemOf(workspaceId, { units, included: small })] });
      return results[0];
    };
    expect(await reserved({ historyQuery: 32 })).toMatchObject({ outcome: ReserveOutcome.GRANTED });
    expect(await reserved({ lookupCached: 31, historyQuery: 1 })).toMatchObject({
      outcome: ReserveOutcome.EXHAUSTED,
      exhaustedUnit: 'history_query',
    });
    await isExact(workspaceId);
  });
});
