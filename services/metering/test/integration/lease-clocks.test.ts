import { createDeadline } from '@shopscope/async';
import { newId } from '@shopscope/ids';
import { LeaseOutcome, unitsOf } from '@shopscope/proto';
import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowanceKey, type UsageEvent } from '../../src/domain/fold.ts';
import { type LeaseAsk, maxClockDifferenceMs } from '../../src/domain/lease.ts';
import { reserveItem } from '../../src/inbound/decode.ts';
import { createLeaseCloser } from '../../src/operations/close-leases.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { leaseAllowance } from '../../src/operations/lease-allowance.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { allRead, currentPeriodMs, itemOf, type Metering, newWorkspace, origin, startMeterings } from './harness.ts';

const unit = 'lookupCached';
const included = 400;
/** `.ci/nightly` tries more orders. */
const { numRuns } = runsOf({ byDay: 12, atNight: 60 });
/** A request ends at most this long after its start, and its event is in usage.v1 then. */
const requestMs = 10_500;
/** The clock of the gateways is between those of the two primaries. */
const gatewayClockMs = maxClockDifferenceMs / 2;

type Command =
  | { kind: 'ask'; more: number; isAnswered: boolean }
  | { kind: 'spend'; units: number }
  | { kind: 'end' | 'repeatFirstCalls' | 'close' }
  | { kind: 'reserve'; units: number }
  | { kind: 'pass'; ms: number }
  /** The other member becomes the primary. */
  | { kind: 'switch' };

/** A lease in the view of its gateway. Instants are of a clock that is right. */
interface Held {
  id: string;
  calls: number;
  spent: number;
  limit: number;
  usableUntilMs: number;
  isOver: boolean;
  /** When the gateway sent the first call, by its clock. */
  firstSentMs: number;
  firstWanted: number;
  /** Time since the opening and until the end, by the clock of the primary. Absent if the allowance does not have the lease. */
  stored?: { ageMs: number; restMs: number };
}

describe('leases under two clocks', () => {
  let metering: Metering;
  let periodStartMs: number;
  beforeAll(async () => {
    metering = await startMeterings('lease-clocks', { instances: 0 });
    periodStartMs = currentPeriodMs(metering.clock);
  });
  afterAll(() => metering?.stop());

  const deadline = () => createDeadline(5_000);
  const lateEvents = async () => {
    const metric = await metering.registry.getSingleMetric('metering_late_usage_total')?.get();
    return (metric?.values ?? []).reduce((sum, { value }) => sum + value, 0);
  };

  /** Runs the commands against the operations. MongoDB's clock stands still between them, and instants of leases move instead. */
  async function run(commands: readonly Command[]): Promise<void> {
    const { deps, db } = metering;
    const workspaceId = newWorkspace();
    const _id = allowanceKey(workspaceId, periodStartMs);
    const allowances = db.collection<{ _id: string }>('allowances');
    const closer = createLeaseCloser(deps, allRead);
    const lateBefore = await lateEvents();
    const leases: Held[] = [];
    const due: { event: UsageEvent; atMs: number }[] = [];
    let nowMs = 0;
    let primaryClockMs = 0;
    let charges = 0;
    let reserved = 0;

    const readInstants = async () => {
      const ages = {
        $map: {
          input: { $ifNull: ['$leases', []] },
          in: {
            id: '$$this.id',
            ageMs: { $subtract: ['$$NOW', '$$this.openedAt'] },
            restMs: { $subtract: ['$$this.endsAt', '$$NOW'] },
          },
        },
      };
      const [found] = await allowances
        .aggregate<{ ages: { id: string; ageMs: number; restMs: number }[] }>([
          { $match: { _id } },
          { $project: { ages } },
        ])
        .toArray();
      for (const lease of leases) {
        const stored = found?.ages.find(({ id }) => id === lease.id);
        if (stored) lease.stored = { ageMs: stored.ageMs, restMs: stored.restMs };
        else delete lease.stored;
      }
    };
    const writeInstants = async () => {
      const branches = leases.flatMap(({ id, stored }) => {
        if (!stored) return [];
        const instants = {
          openedAt: { $subtract: ['$$NOW', stored.ageMs] },
          endsAt: { $add: ['$$NOW', stored.restMs] },
        };
        // biome-ignore lint/suspicious/noThenProperty: the name of the member in MongoDB
        return [{ case: { $eq: ['$$this.id', id] }, then: instants }];
      });
      if (branches.length === 0) return;
      const moved = { $mergeObjects: ['$$this', { $switch: { branches, default: {} } }] };
      await allowances.updateOne({ _id }, [{ $set: { leases: { $map: { input: '$leases', in: moved } } } }]);
    };
    /** Runs an operation at the present instants of the leases. */
    const at = async <T>(operation: () => Promise<T>): Promise<T> => {
      await writeInstants();
      const result = await operation();
      await readInstants();
      return result;
    };
    const movePrimaryClock = (ms: number) => {
      for (const { stored } of leases) {
        if (!stored) continue;
        stored.ageMs += ms;
        stored.restMs -= ms;
      }
    };
    const close = () => at(() => closer.tick());
    const record = async () => {
      const first = due.shift();
      if (first) expect((await recordUsage(deps, [first.event], deadline())).size).toBe(0);
    };
    const advance = (ms: number) => {
      nowMs += ms;
      movePrimaryClock(ms);
    };
    /** Each event arrives at the last moment. The closer runs before it. */
    const pass = async (ms: number) => {
      const untilMs = nowMs + ms;
      for (let next = due[0]; next && next.atMs <= untilMs; next = due[0]) {
        advance(next.atMs - nowMs);
        await close();
        await record();
      }
      advance(untilMs - nowMs);
    };
    const call = (lease: Held, ask: Pick<LeaseAsk, 'call' | 'wanted' | 'spent' | 'isFinal'>, sentMs: number) =>
      at(async () => {
        // The time of the primary is the time of this machine, so the call is as old as it is for the primary.
        const sentAtMs = Date.now() + sentMs - (nowMs + primaryClockMs);
        const period = ask.call === 1 ? 0 : periodStartMs;
        const asked = { ...ask, workspaceId, leaseId: lease.id, unit, sentAtMs, periodStartMs: period } as const;
        const asks = [{ ...asked, included: unitsOf({ [unit]: included }) }];
        const [grant] = await leaseAllowance(deps, 'gw_1', asks, { deadline: deadline() });
        return grant?.outcome === LeaseOutcome.GRANTED ? grant : undefined;
      });
    const ask = async (more: number, isAnswered: boolean) => {
      let lease = leases.at(-1);
      if (!lease || lease.isOver) {
        const firstSentMs = nowMs + gatewayClockMs;
        const unused = { calls: 0, spent: 0, limit: 0, usableUntilMs: 0, isOver: false };
        lease = { ...unused, id: newId('lse'), firstSentMs, firstWanted: more };
        leases.push(lease);
      }
      lease.calls += 1;
      const { calls, spent } = lease;
      const wanted = spent + more;
      lease.limit = Math.min(lease.limit, wanted);
      const grant = await call(lease, { call: calls, wanted, spent, isFinal: false }, nowMs + gatewayClockMs);
      if (!grant || !isAnswered) return;
      lease.limit = Math.min(grant.granted, wanted);
      lease.usableUntilMs = nowMs + grant.usableMs;
    };
    const spend = (units: number) => {
      const lease = leases.at(-1);
      for (let n = 0; n < units && lease && lease.spent < lease.limit && nowMs < lease.usableUntilMs; n++) {
        const charge = { chargeId: `${lease.id}-${lease.spent}`, attempt: 1, workspaceId, keyId: 'key_a' };
        const paid = { units: unitsOf({ [unit]: 1 }), periodStartMs, leaseId: lease.id, operation: 'test' };
        const event = { ...charge, ...paid, kind: 'count' as const, occurredAtMs: metering.clock.now() };
        due.push({ event, atMs: nowMs + requestMs });
        lease.spent += 1;
        charges += 1;
      }
    };
    const end = async () => {
      const lease = leases.at(-1);
      if (!lease || lease.isOver) return;
      lease.isOver = true;
      lease.limit = Math.min(lease.limit, lease.spent);
      lease.calls += 1;
      const { calls, spent } = lease;
      await call(lease, { call: calls, wanted: spent, spent, isFinal: true }, nowMs + gatewayClockMs);
    };
    const repeatFirstCalls = async () => {
      for (const lease of leases) {
        const first = { call: 1, wanted: lease.firstWanted, spent: 0, isFinal: false };
        await call(lease, first, lease.firstSentMs);
      }
    };
    const takeByReserve = async (units: number) => {
      const item = itemOf(workspaceId, { units: { [unit]: units }, included: { [unit]: included } });
      const [result] = await reserve(deps, [reserveItem(item)], deadline());
      if (result?.outcome === 'granted') reserved += units;
    };

    for (const next of commands) {
      if (next.kind === 'ask') await ask(next.more, next.isAnswered);
      else if (next.kind === 'spend') spend(next.units);
      else if (next.kind === 'end') await end();
      else if (next.kind === 'repeatFirstCalls') await repeatFirstCalls();
      else if (next.kind === 'close') await close();
      else if (next.kind === 'reserve') await takeByReserve(next.units);
      else if (next.kind === 'pass') await pass(next.ms);
      else {
        const otherMs = maxClockDifferenceMs - primaryClockMs;
        movePrimaryClock(otherMs - primaryClockMs);
        primaryClockMs = otherMs;
      }
      const { balance } = await getUsage(deps, workspaceId, { origin, deadline: deadline() });
      expect(balance.taken[unit]).toBeLessThanOrEqual(included);
      expect(balance.used[unit]).toBe(charges - due.length);
    }
    await pass(200_000);
    // The first run marks leases as ended, and the second one removes them.
    await close();
    await close();
    const { balance } = await getUsage(deps, workspaceId, { origin, deadline: deadline() });
    expect([balance.used[unit], balance.reserved[unit]]).toEqual([charges, reserved]);
    expect(await reconcilePeriods(deps, [{ workspaceId, periodStartMs }])).toBe(0);
    expect((await lateEvents()) - lateBefore).toBe(0);
  }

  it('an event of the last request of a lease is not late when the clock of the next primary is 30 s ahead', async () => {
    await run([
      { kind: 'ask', more: 1, isAnswered: true },
      { kind: 'pass', ms: 15_998 },
      { kind: 'spend', units: 1 },
      { kind: 'switch' },
      { kind: 'pass', ms: 10_499 },
      { kind: 'close' },
    ]);
  });

  it('a repeated first call opens no removed lease when the primary changes to a clock that is 30 s ahead and back', async () => {
    await run([
      { kind: 'ask', more: 2, isAnswered: true },
      { kind: 'spend', units: 1 },
      { kind: 'end' },
      { kind: 'pass', ms: 11_000 },
      { kind: 'switch' },
      { kind: 'close' },
      { kind: 'pass', ms: 15_000 },
      { kind: 'close' },
      { kind: 'switch' },
      { kind: 'repeatFirstCalls' },
      { kind: 'spend', units: 1 },
    ]);
  });

  const command: fc.Arbitrary<Command> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('ask' as const), more: fc.nat(20), isAnswered: fc.boolean() }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('spend' as const), units: fc.integer({ min: 1, max: 3 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constantFrom('end' as const, 'close' as const, 'repeatFirstCalls' as const) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reserve' as const), units: fc.constantFrom(1, 150) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('pass' as const),
        ms: fc.constantFrom(500, 1_999, 9_900, 12_000, 13_999, 30_000),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('switch' as const) }) },
  );

  it('used, reserved and lent units stay exact under any order of calls, spending, closes and changes of primary with clocks 30 s apart', async () => {
    const property = fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40 }), run);
    await fc.assert(property, { numRuns, endOnFailure: true });
  }, 120_000);
});
