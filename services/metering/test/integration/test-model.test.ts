import { createDeadline } from '@shopscope/async';
import { ReserveOutcome, UsageKind, unitsOf } from '@shopscope/proto';
import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createQueues } from '../../src/create-dependencies.ts';
import { meteringHandlers } from '../../src/inbound/grpc/handlers.ts';
import { currentOwner } from '../../src/operations/generations.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { createSweeper } from '../../src/operations/sweep.ts';
import {
  allRead,
  currentPeriodMs,
  eventOf,
  itemOf,
  type Metering,
  newCharge,
  newWorkspace,
  startMeterings,
  testOrigin,
} from './harness.ts';

const included = 12;
const ttlMs = 60_000;
/** Each run has other random histories. `.ci/nightly` makes four times as many. */
const { numRuns } = runsOf({ byDay: 15, atNight: 60 });

interface ModelAttempt {
  units: number;
  state: 'held' | 'counted' | 'returned' | 'dead';
  isConfirmed: boolean;
}

/** The expected behaviour of a test allowance without a database. */
class Model {
  charges = new Map<number, ModelAttempt[]>();
  left = included;

  sum(state: ModelAttempt['state']): number {
    const attempts = [...this.charges.values()].flat().filter((attempt) => attempt.state === state);
    return attempts.reduce((sum, { units }) => sum + units, 0);
  }

  reserve(id: number, units: number): ReserveOutcome {
    const attempts = this.charges.get(id) ?? [];
    const latest = attempts.at(-1);
    if (latest?.state === 'counted') {
      latest.isConfirmed = true;
      return ReserveOutcome.ALREADY_SETTLED;
    }
    if (latest) this.end(latest, 'dead');
    if (units > this.left) return ReserveOutcome.EXHAUSTED;
    this.left -= units;
    this.charges.set(id, [...attempts, { units, state: 'held', isConfirmed: false }]);
    return ReserveOutcome.GRANTED;
  }

  deliver(attempt: ModelAttempt): void {
    if (attempt.state === 'held') attempt.state = 'counted';
    if (attempt.state !== 'returned') return;
    const fits = attempt.units <= this.left;
    attempt.state = fits ? 'counted' : 'dead';
    if (fits) this.left -= attempt.units;
  }

  /** Ends an attempt that takes units, or may take them later. */
  end(attempt: ModelAttempt, state: 'returned' | 'dead'): void {
    if (attempt.state === 'held' || attempt.state === 'counted') this.left += attempt.units;
    attempt.state = state;
  }

  void(attempt: ModelAttempt): void {
    if (!(attempt.state === 'counted' && attempt.isConfirmed)) this.end(attempt, 'dead');
  }

  sweep(): void {
    for (const attempt of [...this.charges.values()].flat())
      if (attempt.state === 'held') this.end(attempt, 'returned');
  }

  reset(): void {
    this.charges.clear();
    this.left = included;
  }
}

const charge = fc.nat(5);
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('reserve' as const), charge, units: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('deliver' as const, 'void' as const), charge, back: fc.nat(1) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('set' as const), left: fc.nat(included) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reset' as const, 'sweep' as const) }) },
);

let metering: Metering;
beforeAll(async () => {
  metering = await startMeterings('test-model', { instances: 0 });
});
afterAll(() => metering?.stop());

it('a test allowance grants no more than what is left, under any order of Reserve calls, events, voids, settings and resets', async () => {
  const { deps: live, test, clock } = metering;
  const handlers = meteringHandlers({
    live: { deps: live, queues: createQueues(live) },
    test: { deps: test, queues: createQueues(test) },
  });
  const sweeper = createSweeper(test, allRead);
  const periodStartMs = currentPeriodMs(clock);
  const property = fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
    const workspaceId = newWorkspace();
    const ids = Array.from({ length: 6 }, newCharge);
    const model = new Model();
    /** The attempts of ended generations, by charge. */
    const stale = new Map<number, ModelAttempt[]>();
    const context = () => ({
      origin: testOrigin,
      deadline: createDeadline(5_000),
      abort: new AbortController().signal,
    });
    const item = (id: number, lookupCached: number) =>
      itemOf(workspaceId, {
        chargeId: ids[id] as string,
        units: { lookupCached },
        included: { lookupCached: included },
      });

    for (const next of commands) {
      if (next.kind === 'reserve') {
        const expected = model.reserve(next.charge, next.units);
        const { results } = await handlers.reserve({ items: [item(next.charge, next.units)] }, context());
        expect(results?.[0]?.outcome).toBe(expected);
      } else if (next.kind === 'set') {
        model.left = next.left;
        const left = [{ unit: 'lookup_cached', left: next.left }];
        await handlers.setTestAllowance(
          { workspaceId, included: unitsOf({ lookupCached: included }), left },
          context(),
        );
      } else if (next.kind === 'reset') {
        for (const [id, attempts] of model.charges) stale.set(id, attempts);
        model.reset();
        await handlers.resetTestAllowances({ workspaceId }, context());
      } else if (next.kind === 'sweep') {
        clock.advance(ttlMs);
        model.sweep();
        await sweeper.tick();
      } else if (next.kind === 'deliver' || next.kind === 'void') {
        const current = model.charges.get(next.charge);
        const attempts = current ?? stale.get(next.charge) ?? [];
        const attempt = attempts[attempts.length - 1 - next.back];
        if (!attempt) continue;
        if (current && next.kind === 'deliver') model.deliver(attempt);
        if (current && next.kind === 'void') model.void(attempt);
        const number = attempts.indexOf(attempt) + 1;
        const event = eventOf(item(next.charge, attempt.units), { attempt: number, periodStartMs });
        const kind = next.kind === 'deliver' ? UsageKind.CHARGE : UsageKind.VOID;
        await handlers.recordUsage({ events: [{ ...event, kind }] }, context());
      }
      const { balances } = await handlers.getBalance({ workspaceIds: [workspaceId] }, context());
      const { used, reserved, taken } = balances?.[0] ?? {};
      expect({
        used: used?.lookupCached,
        reserved: reserved?.lookupCached,
        left: included - (taken?.lookupCached ?? 0),
      }).toEqual({ used: model.sum('counted'), reserved: model.sum('held'), left: Math.min(model.left, included) });
    }
    const owner = await currentOwner(test, workspaceId, createDeadline(5_000));
    expect(await reconcilePeriods(test, [{ workspaceId: owner, periodStartMs }])).toBe(0);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
}, 120_000);
