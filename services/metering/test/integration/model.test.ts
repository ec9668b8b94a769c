import { createDeadline } from '@shopscope/async';
import { dayMs, periodAt } from '@shopscope/clock';
import { unitsOf } from '@shopscope/proto';
import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getDailyUsage } from '../../src/operations/get-daily-usage.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { createSweeper } from '../../src/operations/sweep.ts';
import { type Metering, newCharge, newWorkspace, noon, origin, startMeterings } from './harness.ts';

const included = 12;
const ttlMs = 60_000;
/** Each run has other random histories. `.ci/nightly` makes four times as many. */
const { numRuns } = runsOf({ byDay: 15, atNight: 60 });

interface ModelAttempt {
  units: number;
  state: 'held' | 'counted' | 'returned' | 'dead';
  expiresMs: number;
  /** Whether a retry got it as its response. */
  confirmed?: boolean;
}

interface ModelCharge {
  attempts: ModelAttempt[];
  fingerprint: string;
  firstSeenMs: number;
}

/** The expected behaviour of an allowance without a database: a list of attempts per charge, summed at each call. */
class Model {
  charges = new Map<number, ModelCharge>();

  sum(...states: ModelAttempt['state'][]): number {
    const attempts = [...this.charges.values()].flatMap((charge) => charge.attempts);
    return attempts.filter(({ state }) => states.includes(state)).reduce((sum, { units }) => sum + units, 0);
  }

  fits = (units: number) => units === 0 || this.sum('held', 'counted') + units <= included;

  reserve(id: number, fingerprint: string, units: number, nowMs: number): string {
    const charge = this.charges.get(id);
    const latest = charge?.attempts.at(-1);
    const isSame = charge && nowMs - charge.firstSeenMs < dayMs;
    if (isSame && charge.fingerprint !== fingerprint) return 'fingerprint_mismatch';
    if (isSame && latest?.state === 'counted') {
      latest.confirmed = true;
      return `already_settled ${charge.attempts.length} ${latest.units}`;
    }
    if (latest && latest.state !== 'counted') latest.state = 'dead';
    if (!this.fits(units)) return 'exhausted';
    const attempts = [...(charge?.attempts ?? []), { units, state: 'held' as const, expiresMs: nowMs + ttlMs }];
    this.charges.set(id, { attempts, fingerprint, firstSeenMs: isSame ? charge.firstSeenMs : nowMs });
    return `granted ${attempts.length} ${units}`;
  }

  deliver(attempt: ModelAttempt): void {
    if (attempt.state === 'held') attempt.state = 'counted';
    else if (attempt.state === 'returned') attempt.state = this.fits(attempt.units) ? 'counted' : 'dead';
  }

  sweep(nowMs: number): void {
    for (const { attempts } of this.charges.values()) {
      for (const attempt of attempts) {
        if (attempt.state === 'held' && attempt.expiresMs <= nowMs) attempt.state = 'returned';
      }
    }
  }
}

const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      charge: fc.nat(5),
      fingerprint: fc.constantFrom('', '', 'b'),
      units: fc.nat(6),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('deliver' as const, 'void' as const, 'deliver' as const),
      charge: fc.nat(5),
      back: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), ms: fc.constantFrom(1_000, ttlMs) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait a day' as const) }) },
);

let metering: Metering;
beforeAll(async () => {
  metering = await startMeterings('model', { instances: 0 });
});
afterAll(() => metering?.stop());

it('an allowance behaves as its model under any order of Reserve calls, events, voids, sweeps and days', async () => {
  const { deps, clock } = metering;
  const sweeper = createSweeper(deps, { ends: async () => new Map([[0, 0n]]), consumed: async () => new Map() });

  const property = fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
    clock.setWall(noon);
    const { startMs } = periodAt(noon);
    const workspaceId = newWorkspace();
    const ids = Array.from({ length: 6 }, newCharge);
    const model = new Model();

    for (const next of commands) {
      if (next.kind === 'reserve') {
        const expected = model.reserve(next.charge, `f${next.fingerprint}`, next.units, clock.now());
        const [reserved] = await reserve(
          deps,
          [
            {
              chargeId: ids[next.charge] as string,
              workspaceId,
              keyId: 'key_a',
              fingerprint: `f${next.fingerprint}`,
              executionId: '',
              requestId: '',
              units: unitsOf({ lookupCached: next.units }),
              included: unitsOf({ lookupCached: included }),
            },
          ],
          createDeadline(5_000),
        );
        const details = reserved && 'attempt' in reserved ? ` ${reserved.attempt} ${reserved.units.lookupCached}` : '';
        expect(`${reserved?.outcome}${details}`).toBe(expected);
      } else if (next.kind === 'sweep') {
        clock.advance(next.ms);
        model.sweep(clock.now());
        await sweeper.tick();
      } else if (next.kind === 'wait a day') {
        clock.advance(dayMs);
      } else {
        const attempts = model.charges.get(next.charge)?.attempts ?? [];
        const index = attempts.length - 1 - next.back;
        const attempt = attempts[index];
        if (!attempt) continue;
        if (next.kind === 'deliver') model.deliver(attempt);
        else if (!attempt.confirmed) attempt.state = 'dead';
        await recordUsage(
          deps,
          [
            {
              kind: next.kind === 'deliver' ? 'count' : 'void',
              chargeId: ids[next.charge] as string,
              attempt: index + 1,
              workspaceId,
              keyId: 'key_a',
              units: unitsOf({ lookupCached: attempt.units }),
              periodStartMs: startMs,
              operation: 'test',
              leaseId: '',
              occurredAtMs: clock.now(),
            },
          ],
          createDeadline(5_000),
        );
      }
      // A run stays within one month.
      if (clock.now() >= periodAt(noon).endMs) break;
      const caller = { origin, deadline: createDeadline(5_000) };
      const { balance } = await getUsage(deps, workspaceId, caller);
      expect([balance.used.lookupCached, balance.reserved.lookupCached]).toEqual([
        model.sum('counted'),
        model.sum('held'),
      ]);
      const { days, notRecorded } = await getDailyUsage(deps, workspaceId, caller);
      expect(days.reduce((sum, { used }) => sum + (used?.lookupCached ?? 0), 0)).toBe(model.sum('counted'));
      expect(notRecorded).toEqual([]);
    }
    expect(await reconcilePeriods(deps, [{ workspaceId, periodStartMs: startMs }])).toBe(0);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
}, 120_000);
