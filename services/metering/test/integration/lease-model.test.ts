import { createDeadline } from '@shopscope/async';
import { newId } from '@shopscope/ids';
import { type LeasableUnit, LeaseOutcome, leasableUnits, type Units, unitsOf } from '@shopscope/proto';
import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowanceKey, type UsageEvent } from '../../src/domain/fold.ts';
import {
  closeAfterMs,
  keepMs,
  longLeaseMs,
  maxLeasesPerGateway,
  plentyFactor,
  roomDivisor,
  shortLeaseMs,
} from '../../src/domain/lease.ts';
import { createLeaseCloser } from '../../src/operations/close-leases.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { leaseAllowance } from '../../src/operations/lease-allowance.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { currentPeriodMs, type Metering, newCharge, newWorkspace, origin, startMeterings } from './harness.ts';

interface ModelLease {
  id: string;
  /** The process that holds it: a gateway and the number of its start. */
  process: string;
  calls: number;
  /** The units that the gateway has spent. It may not have reported all of them yet. */
  spent: number;
  limit: number;
  /** The units that the allowance has granted. */
  granted: number;
  reported: number;
  state: 'open' | 'closing' | 'removed';
  settled: number;
  /** Time since the opening and until the end, in ms. */
  ageMs: number;
  restMs: number;
}

type ModelCharge = { lease: number; units: number; state: 'spent' | 'counted' | 'void' };

/** Models one unit of an allowance with leases, without a database. */
class Model {
  included = 64;
  used = 0;
  reserved = 0;
  leases: ModelLease[] = [];
  charges: ModelCharge[] = [];
  /** How often each gateway has started. The units have the gateways in common. */
  readonly starts: readonly number[];

  constructor(starts: readonly number[]) {
    this.starts = starts;
  }

  get lent(): number {
    const held = this.leases.filter(({ state }) => state !== 'removed');
    return held.reduce((sum, { granted, settled }) => sum + granted - settled, 0);
  }

  /** Lent units that may return. A removed lease returned them. */
  get unspent(): number {
    const held = this.leases.filter(({ state }) => state !== 'removed');
    return held.reduce(
      (sum, { granted, settled, reported }) => sum + Math.max(0, granted - Math.max(settled, reported)),
      0,
    );
  }

  get taken(): number {
    return this.used + this.reserved + this.lent;
  }

  processOf = (gateway: number) => `gw_${gateway}_${this.starts[gateway]}`;

  current(gateway: number): ModelLease | undefined {
    return this.leases.findLast(({ process, state }) => process === this.processOf(gateway) && state === 'open');
  }

  /** The grant of a call, or undefined for `direct`. */
  ask(lease: ModelLease, wanted: number): number | undefined {
    lease.limit = Math.min(lease.limit, wanted);
    const before = lease.granted;
    if (lease.state !== 'open') return undefined;
    const left = this.included - this.taken;
    const room = Math.max(0, Math.floor(left / roomDivisor));
    const lent = wanted - lease.spent;
    lease.restMs = Math.max(lease.restMs, lent > 0 && left >= plentyFactor * lent ? longLeaseMs : shortLeaseMs);
    if (lease.calls === 1) {
      const others = this.leases.filter(
        (other) => other !== lease && other.process === lease.process && other.state !== 'removed',
      );
      if (room === 0 || others.length >= maxLeasesPerGateway) {
        lease.state = 'removed';
        return undefined;
      }
    }
    lease.granted = wanted < before ? Math.max(wanted, lease.spent) : Math.min(wanted, before + room);
    lease.reported = lease.spent;
    if (lease.granted <= lease.spent) return undefined;
    lease.limit = lease.granted;
    return lease.granted;
  }

  end(lease: ModelLease): void {
    lease.granted = Math.min(lease.spent, lease.granted);
    lease.reported = lease.spent;
    lease.state = 'closing';
    lease.restMs = Math.max(lease.restMs, shortLeaseMs);
  }

  deliver(charge: ModelCharge): void {
    const lease = this.leases[charge.lease] as ModelLease;
    if (charge.state !== 'spent') return;
    if (lease.state !== 'removed') {
      lease.settled += charge.units;
      this.used += charge.units;
      charge.state = 'counted';
    } else if (this.taken + charge.units <= this.included) {
      this.used += charge.units;
      charge.state = 'counted';
    } else charge.state = 'void';
  }

  void(charge: ModelCharge): void {
    const lease = this.leases[charge.lease] as ModelLease;
    if (charge.state === 'counted') this.used -= charge.units;
    if (charge.state === 'spent' && lease.state !== 'removed') lease.settled += charge.units;
    charge.state = 'void';
  }

  pass(ms: number): void {
    for (const lease of this.leases) {
      lease.ageMs += ms;
      lease.restMs -= ms;
    }
  }

  close(): void {
    for (const lease of this.leases) {
      if (lease.state === 'removed') continue;
      const isSettled = lease.state === 'closing' && lease.settled === lease.granted;
      const hasEnded = lease.restMs <= -closeAfterMs;
      if (hasEnded) lease.state = 'closing';
      if ((isSettled || hasEnded) && lease.ageMs >= keepMs) lease.state = 'removed';
    }
  }
}

/** Their sums stay a second away from the limits of 44 s, 50 s and 58 s that they do not reach, because each step itself takes time. */
const passes = [3_000, 42_000, 60_000];

const gateway = fc.nat(1);
const unit = fc.constantFrom(...leasableUnits);
const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('ask' as const), unit, gateway, more: fc.nat(6) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('spend' as const),
      unit,
      gateway,
      /** Units of each charge. */
      amounts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      unit,
      kind: fc.constantFrom('deliver' as const, 'void' as const, 'deliver' as const),
      pick: fc.nat(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('end' as const, 'die' as const), unit, gateway }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(...passes) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      unit,
      units: fc.integer({ min: 1, max: 20 }),
      /** The number of units of the other kind. */
      others: fc.constantFrom(0, 0, 1, 20),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('plan' as const), unit, included: fc.constantFrom(20, 64, 200, 2_000) }),
  },
);

let metering: Metering;
beforeAll(async () => {
  metering = await startMeterings('lease-model', { instances: 0 });
});
afterAll(() => metering?.stop());

it('an allowance with leases of two units behaves as its model under any order of calls, events, voids, deaths, closes and plans', async () => {
  const { deps, db } = metering;
  const periodStartMs = currentPeriodMs(metering.clock);
  const deadline = () => createDeadline(5_000);

  const property = fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
    const workspaceId = newWorkspace();
    const allowance = allowanceKey(workspaceId, periodStartMs);
    const allowances = db.collection<{ _id: string }>('allowances');
    const starts = [0, 0];
    const models = { lookupCached: new Model(starts), historyQuery: new Model(starts) };
    const included = (): Units =>
      unitsOf({ lookupCached: models.lookupCached.included, historyQuery: models.historyQuery.included });
    const closer = createLeaseCloser(deps, { ends: async () => new Map([[0, 0n]]), consumed: async () => new Map() });
    const call = async (unit: LeasableUnit, lease: ModelLease, wanted: number, isFinal: boolean) => {
      lease.calls += 1;
      const { id: leaseId, calls, spent } = lease;
      const [grant] = await leaseAllowance(
        deps,
        lease.process,
        [
          {
            workspaceId,
            leaseId,
            unit,
            call: calls,
            sentAtMs: Date.now(),
            wanted,
            spent,
            isFinal,
            periodStartMs: calls === 1 ? 0 : periodStartMs,
            included: included(),
          },
        ],
        { deadline: deadline() },
      );
      return grant?.outcome === LeaseOutcome.GRANTED ? grant.granted : undefined;
    };
    const record = (unit: LeasableUnit, charge: ModelCharge, kind: UsageEvent['kind']) => {
      const { leases, charges } = models[unit];
      const leaseId = leases[charge.lease]?.id ?? '';
      return recordUsage(
        deps,
        [
          {
            kind,
            chargeId: `${leaseId}-${charges.indexOf(charge)}`,
            attempt: 1,
            workspaceId,
            keyId: 'key_a',
            units: unitsOf({ [unit]: charge.units }),
            periodStartMs,
            operation: 'test',
            occurredAtMs: metering.clock.now(),
            leaseId,
          },
        ],
        deadline(),
      );
    };

    /** Gives the leases the ages of the model, so that the duration of the test itself does not count. */
    const writeInstants = async () => {
      const leases = Object.values(models).flatMap((model) => model.leases);
      const branches = leases.map(({ id, ageMs, restMs }) => ({
        case: { $eq: ['$$this.id', id] },
        // biome-ignore lint/suspicious/noThenProperty: the name of the member in MongoDB
        then: { openedAt: { $subtract: ['$$NOW', ageMs] }, endsAt: { $add: ['$$NOW', restMs] } },
      }));
      if (branches.length === 0) return;
      const aged = { $mergeObjects: ['$$this', { $switch: { branches, default: {} } }] };
      await allowances.updateOne({ _id: allowance, leases: { $exists: true } }, [
        { $set: { leases: { $map: { input: '$leases', in: aged } } } },
      ]);
    };

    for (const next of commands) {
      const before = leasableUnits.map((unit) => models[unit].taken);
      const model = models['unit' in next ? next.unit : 'lookupCached'];
      if (next.kind === 'ask') {
        let lease = model.current(next.gateway);
        if (!lease) {
          lease = {
            id: newId('lse'),
            process: model.processOf(next.gateway),
            calls: 0,
            spent: 0,
            limit: 0,
            granted: 0,
            reported: 0,
            state: 'open',
            settled: 0,
            ageMs: 0,
            restMs: 0,
          };
          model.leases.push(lease);
        }
        const wanted = lease.spent + next.more;
        const granted = await call(next.unit, lease, wanted, false);
        expect(granted).toBe(model.ask(lease, wanted));
      } else if (next.kind === 'spend') {
        const lease = model.current(next.gateway);
        for (const units of next.amounts) {
          if (!lease || lease.spent + units > lease.limit) continue;
          lease.spent += units;
          model.charges.push({ lease: model.leases.indexOf(lease), units, state: 'spent' });
        }
      } else if (next.kind === 'deliver' || next.kind === 'void') {
        const charge = model.charges[next.pick % Math.max(1, model.charges.length)];
        if (!charge) continue;
        const refused = await record(next.unit, charge, next.kind === 'deliver' ? 'count' : 'void');
        if (next.kind === 'deliver') model.deliver(charge);
        else model.void(charge);
        expect(refused.size > 0).toBe(charge.state === 'void');
      } else if (next.kind === 'end') {
        const lease = model.current(next.gateway);
        if (!lease) continue;
        await call(next.unit, lease, lease.spent, true);
        model.end(lease);
      } else if (next.kind === 'die') {
        // The next process of the gateway knows nothing of the leases.
        starts[next.gateway] = (starts[next.gateway] ?? 0) + 1;
      } else if (next.kind === 'pass') {
        for (const each of Object.values(models)) each.pass(next.ms);
      } else if (next.kind === 'close') {
        await writeInstants();
        await closer.tick();
        for (const each of Object.values(models)) each.close();
      } else if (next.kind === 'reserve') {
        const other = next.unit === 'lookupCached' ? 'historyQuery' : 'lookupCached';
        const units = unitsOf({ [next.unit]: next.units, [other]: next.others });
        const [reserved] = await reserve(
          deps,
          [
            {
              chargeId: newCharge(),
              workspaceId,
              keyId: 'key_a',
              fingerprint: '',
              executionId: '',
              requestId: '',
              units,
              included: included(),
            },
          ],
          deadline(),
        );
        const asked = leasableUnits.filter((unit) => units[unit] > 0);
        const exhausted = asked.find((unit) => models[unit].taken + units[unit] > models[unit].included);
        const wouldFit = asked.every((unit) => {
          const { taken, unspent, included } = models[unit];
          return taken - unspent + units[unit] <= included;
        });
        const isLent = exhausted !== undefined && models[exhausted].unspent > 0 && wouldFit;
        expect(reserved?.outcome).toBe(exhausted === undefined ? 'granted' : isLent ? 'lent' : 'exhausted');
        if (reserved?.outcome === 'exhausted') expect(reserved.unit).toBe(exhausted);
        if (exhausted === undefined) for (const unit of asked) models[unit].reserved += units[unit];
      } else if (next.kind === 'plan') model.included = next.included;

      const { balance } = await getUsage(deps, workspaceId, { origin, deadline: deadline() });
      for (const [n, unit] of leasableUnits.entries()) {
        const { used, taken, included } = models[unit];
        expect([balance.used[unit], balance.reserved[unit]]).toEqual([used, taken - used]);
        if (taken > (before[n] ?? 0)) expect(taken).toBeLessThanOrEqual(included);
      }
    }
    expect(await reconcilePeriods(deps, [{ workspaceId, periodStartMs }])).toBe(0);
  });
  await fc.assert(property, { ...runsOf({ byDay: 20, atNight: 60 }), endOnFailure: true });
}, 120_000);
