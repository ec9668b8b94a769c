import { createDeadline } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { type LeasableUnit, LeaseOutcome, leasableUnits, type Units, unitsOf } from '@shopscope/proto';
import { callsPerCrash, crashMoments } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowanceKey, type UsageEvent } from '../../src/domain/fold.ts';
import { leaseCountKey, partsOfCountKey } from '../../src/domain/lease.ts';
import { attemptKey } from '../../src/domain/ledger-entry.ts';
import { reserveItem } from '../../src/inbound/decode.ts';
import { createLeaseCloser } from '../../src/operations/close-leases.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { leaseAllowance } from '../../src/operations/lease-allowance.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { Crashed, type CrashPoint, crashingAt } from './crashing.ts';
import { allRead, currentPeriodMs, itemOf, type Metering, newWorkspace, startMeterings } from './harness.ts';

/** A lease from the view of its gateway. */
interface Lease {
  workspaceId: string;
  unit: LeasableUnit;
  id: string;
  calls: number;
  limit: number;
  spent: number;
  /** An answer granted units of it. */
  isKnown: boolean;
}

/** A gateway with leases of two workspaces and units, so that a call and a run of the closer have more than one of each. */
interface Gateway {
  id: string;
  included: number;
  leases: Lease[];
  /** Events of all charges, in the order of their publication. */
  events: UsageEvent[];
  /** Charges of which RecordUsage said that they do not count. */
  refused: Set<string>;
}

/** One operation of metering. The instance may crash within it, and another instance repeats it. */
type Step = (deps: Dependencies, gateway: Gateway) => Promise<void>;

interface Scenario {
  name: string;
  included: number;
  steps: Step[];
  /** Index of the first step in which the instance crashes. Scenarios above it have the crashes before this step. */
  crashesFrom: number;
  /** Units that each workspace has used in the end, with any crash. */
  used: number;
}

const timeoutMs = 10_000;
const concurrency = 8;
/** `.ci/nightly` crashes the instance in each step of each scenario. */
const isNightly = process.env.SHOPSCOPE_NIGHTLY === 'true';

let metering: Metering;
let periodStartMs: number;
beforeAll(async () => {
  metering = await startMeterings('lease-crashes', { instances: 0 });
  periodStartMs = currentPeriodMs(metering.clock);
});
afterAll(() => metering?.stop());

const deadline = () => createDeadline(timeoutMs);
const newLease = (workspaceId: string, unit: LeasableUnit): Lease => ({
  workspaceId,
  unit,
  id: newId('lse'),
  calls: 0,
  limit: 0,
  spent: 0,
  isKnown: false,
});

const call = async (deps: Dependencies, gateway: Gateway, units: number, isFinal: boolean): Promise<void> => {
  const asks = gateway.leases.map((lease) => {
    lease.calls += 1;
    const { workspaceId, unit, id: leaseId, calls, spent } = lease;
    const wanted = spent + units;
    lease.limit = Math.min(lease.limit, wanted);
    const period = calls === 1 ? 0 : periodStartMs;
    return {
      workspaceId,
      leaseId,
      unit,
      call: calls,
      sentAtMs: Date.now(),
      wanted,
      spent,
      isFinal,
      periodStartMs: period,
      included: unitsOf({ [unit]: gateway.included }),
    };
  });
  const grants = await leaseAllowance(deps, gateway.id, asks, { deadline: deadline() });
  for (const [n, grant] of grants.entries()) {
    if (grant.outcome !== LeaseOutcome.GRANTED) continue;
    Object.assign(gateway.leases[n] as Lease, { limit: grant.granted, isKnown: true });
  }
};

/** The gateway asks for units, and spends all of them. */
const asksAndSpends =
  (units: number): Step =>
  async (deps, gateway) => {
    // A gateway that got no answer knows nothing of the lease, and opens another one.
    gateway.leases = gateway.leases.map((lease) =>
      lease.calls > 0 && !lease.isKnown ? newLease(lease.workspaceId, lease.unit) : lease,
    );
    await call(deps, gateway, units, false);
    for (const lease of gateway.leases) {
      expect(lease.limit).toBe(lease.spent + units);
      for (; lease.spent < lease.limit; lease.spent++) gateway.events.push(eventOf(lease, lease.spent));
    }
  };

/** The gateway asks for units that it never spends. */
const asksAndDies: Step = async (deps, gateway) => {
  await call(deps, gateway, 2, false);
};

const ends: Step = (deps, gateway) => call(deps, gateway, 0, true);

const eventOf = ({ id, workspaceId, unit }: Lease, n: number): UsageEvent => ({
  kind: 'count',
  chargeId: `${id}-${n}`,
  attempt: 1,
  workspaceId,
  keyId: 'key_a',
  units: unitsOf({ [unit]: 1 }),
  periodStartMs,
  operation: 'getStore',
  occurredAtMs: metering.clock.now(),
  leaseId: id,
});

/** Kafka delivers the events in one batch, and all of them again after a crash. */
const recorded: Step = async (deps, { events, refused }) => {
  for (const key of await recordUsage(deps, events, deadline())) refused.add(key);
};

/** The gateway voids the last charge of each lease. */
const voided: Step = async (deps, { leases }) => {
  const events = leases.map((lease) => ({ ...eventOf(lease, lease.spent - 1), kind: 'void' as const }));
  await recordUsage(deps, events, deadline());
};

/** The leases ended long ago. MongoDB's time decides about them, so their instants move back. */
const aged: Step = async (_, { leases }) => {
  const moved = {
    openedAt: { $subtract: ['$$this.openedAt', minuteMs] },
    endsAt: { $subtract: ['$$this.endsAt', minuteMs] },
  };
  const ids = leases.map(({ workspaceId }) => allowanceKey(workspaceId, periodStartMs));
  await metering.db
    .collection<{ _id: string }>('allowances')
    .updateMany({ _id: { $in: ids }, leases: { $exists: true } }, [
      { $set: { leases: { $map: { input: '$leases', in: { $mergeObjects: ['$$this', moved] } } } } },
    ]);
};

/** A run of the closer. It sees the leases of this gateway only, so that scenarios can run at the same time. */
const closed: Step = async (deps, { leases }) => {
  const ids = new Set(leases.map(({ workspaceId }) => allowanceKey(workspaceId, periodStartMs)));
  const own: Dependencies = {
    ...deps,
    leases: {
      ...deps.leases,
      leased: async (...page) => (await deps.leases.leased(...page)).filter(({ id }) => ids.has(id)),
    },
    leaseCounts: {
      ...deps.leaseCounts,
      pending: async (...page) =>
        new Map(
          [...(await deps.leaseCounts.pending(...page))].filter(([key]) => ids.has(partsOfCountKey(key).allowance)),
        ),
    },
  };
  await createLeaseCloser(own, allRead).tick();
};

/** One Reserve call for more single units than the allowance has, so that it is exhausted. The instance of this step does not crash. */
const soldOut: Step = async (_, { leases, included }) => {
  const { deps } = metering;
  for (const { workspaceId, unit } of leases) {
    const items = Array.from({ length: included + 1 }, () =>
      reserveItem(itemOf(workspaceId, { units: { [unit]: 1 }, included: { [unit]: included } })),
    );
    const results = await reserve(deps, items, deadline());
    expect(results.at(-1)?.outcome).toBe('exhausted');
    const sold = items.flatMap(({ chargeId, keyId, units }, n) => {
      const result = results[n];
      if (result?.outcome !== 'granted') return [];
      const charge = { chargeId, attempt: result.attempt, workspaceId, keyId, units, leaseId: '' };
      const event = { ...charge, kind: 'count' as const, periodStartMs, operation: 'getStore' };
      return [{ ...event, occurredAtMs: metering.clock.now() }];
    });
    await recordUsage(deps, sold, deadline());
  }
};

const scenarios: Scenario[] = [
  {
    name: 'a counted charge is voided, gateway ends',
    included: 1_600,
    steps: [asksAndSpends(4), recorded, voided, asksAndSpends(2), recorded, ends, aged, closed],
    crashesFrom: 0,
    used: 5,
  },
  {
    name: 'a charge is voided early, gateway dies',
    included: 1_600,
    steps: [asksAndSpends(4), voided, recorded, asksAndDies, aged, closed],
    crashesFrom: 1,
    used: 3,
  },
  {
    name: 'events after the close that still fit',
    included: 1_600,
    steps: [asksAndSpends(4), aged, closed, recorded],
    crashesFrom: 2,
    used: 4,
  },
  {
    name: 'events after the close, all units sold',
    included: 40,
    steps: [asksAndSpends(2), aged, closed, soldOut, recorded],
    crashesFrom: 4,
    used: 40,
  },
];

/** Returns the state of a workspace from its documents, independently of the operations. */
async function stateOf({ workspaceId, unit }: Lease) {
  const allowance = allowanceKey(workspaceId, periodStartMs);
  const found = await metering.db.collection<{ _id: string }>('allowances').findOne({ _id: allowance });
  const leases = ((found as { leases?: { id: string; granted: number }[] } | null)?.leases ?? []) as {
    id: string;
    granted: number;
  }[];
  const counts = await metering.db
    .collection<{ _id: string; settled: number; isPending?: true }>('lease_counts')
    .find({ _id: { $gte: `${allowance}/`, $lt: `${allowance}0` } })
    .toArray();
  const settled = new Map(counts.map((count) => [count._id, count.settled]));
  const entries = await metering.db.collection<{ _id: string }>('ledger').find({ workspaceId }).toArray();
  const decided = new Set(entries.map(({ _id }) => _id.slice(0, _id.lastIndexOf('/'))));
  const charges = await metering.db.collection<{ _id: string }>('charges').find({ workspaceId }).toArray();
  const unitsIn = (documents: object[]) =>
    documents.reduce((sum, document) => sum + ((document as { units?: Partial<Units> }).units?.[unit] ?? 0), 0);
  return {
    used: unitsIn(entries),
    reserved: unitsIn(
      charges.filter(
        (charge) => 'sweepAt' in charge && !decided.has(attemptKey(charge._id, Number(Reflect.get(charge, 'attempt')))),
      ),
    ),
    lent: leases.reduce((sum, { id, granted }) => sum + granted - (settled.get(leaseCountKey(allowance, id)) ?? 0), 0),
    taken: Number((found as { taken?: Partial<Units> } | null)?.taken?.[unit] ?? 0),
    leases: leases.length,
    pending: counts.filter(({ isPending }) => isPending).length,
  };
}

/** taken = used + reserved + lent in every state that a crash may leave, and never more than is included. */
async function expectExact({ leases, included }: Gateway) {
  for (const lease of leases) {
    const { workspaceId } = lease;
    const { used, reserved, lent, taken } = await stateOf(lease);
    expect({ workspaceId, taken }).toEqual({ workspaceId, taken: used + reserved + lent });
    expect(taken).toBeLessThanOrEqual(included);
    expect(await reconcilePeriods(metering.deps, [{ workspaceId, periodStartMs }])).toBe(0);
  }
}

/** Runs a scenario with a crash at its nth call of the database; false when it has fewer calls. */
async function runWithCrash(scenario: Scenario, nth: number, when: CrashPoint): Promise<boolean> {
  const { steps, included, used } = scenario;
  const crashesFrom = isNightly ? 0 : scenario.crashesFrom;
  const gateway: Gateway = {
    id: newId('lse'),
    included,
    leases: leasableUnits.map((unit) => newLease(newWorkspace(), unit)),
    events: [],
    refused: new Set(),
  };
  const crashing = crashingAt(metering.deps, nth, when);
  for (const [n, step] of steps.entries()) {
    const isAlive = !crashing.hasCrashed();
    try {
      await step(isAlive && n >= crashesFrom ? crashing : metering.deps, gateway);
    } catch (error) {
      if (!(error instanceof Crashed)) throw error;
    }
    if (!isAlive || !crashing.hasCrashed()) continue;
    await expectExact(gateway);
    await step(metering.deps, gateway);
  }
  await expectExact(gateway);
  for (const lease of gateway.leases) {
    const expected = { used, reserved: 0, lent: 0, taken: used, leases: 0, pending: 0 };
    expect({ nth, ...(await stateOf(lease)) }).toEqual({ nth, ...expected });
  }
  // The response of RecordUsage decides what a gateway answers. It refuses exactly the charges that are not in the
  // ledger.
  const counted = await metering.deps.ledger.entriesOf(
    gateway.events.map(({ chargeId, attempt }) => attemptKey(chargeId, attempt)),
    gateway.events.map(({ workspaceId }) => workspaceId),
    { maxTimeMS: timeoutMs },
  );
  const unbilled = [...counted].filter(([, entries]) => entries.at(-1)?.kind !== 'charge').map(([key]) => key);
  if (steps.at(-1) === recorded) expect([...gateway.refused].toSorted()).toEqual(unbilled.toSorted());
  return crashing.hasCrashed();
}

const crashPoints: readonly { when: CrashPoint; tags: string[] }[] = [...crashMoments, { when: 'within', tags: [] }];

describe('crashes of metering within a lease', () => {
  for (const { when, tags } of crashPoints) {
    const title = `a lease whose instance crashes ${when} any call of the database is finished to the unit by another instance`;
    it.each(scenarios)(`${title}: $name`, { timeout: 120_000, tags }, async (scenario) => {
      let crashes = 0;
      for (let nth = 1, crashed = true; crashed; nth += concurrency * callsPerCrash) {
        const runs = Array.from({ length: concurrency }, (_, n) =>
          runWithCrash(scenario, nth + n * callsPerCrash, when),
        );
        const each = await Promise.all(runs);
        crashes += each.filter(Boolean).length;
        crashed = each.at(-1) ?? false;
      }
      expect(crashes * callsPerCrash).toBeGreaterThan(when === 'within' ? 5 : 2 * concurrency);
    });
  }
});
