import { createDeadline } from '@shopscope/async';
import type { ReserveItem } from '@shopscope/proto';
import { crashMoments } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveItem, usageEvent } from '../../src/inbound/decode.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { reconcilePeriods } from '../../src/operations/reconcile-periods.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { createSweeper } from '../../src/operations/sweep.ts';
import { Crashed, crashingAt } from './crashing.ts';
import { currentPeriodMs, eventOf, itemOf, type Metering, newWorkspace, origin, startMeterings } from './harness.ts';

/** The steps of a charge. Each step is one transaction of an instance, and the instance may crash within it. */
interface Scenario {
  name: string;
  steps: ((deps: Dependencies, charge: GatewayCharge) => Promise<void>)[];
  /** Units that are billed in the end, with any crash and repetition. */
  used: number;
}

/** A charge from the view of its gateway: the attempts of the responses. */
interface GatewayCharge {
  item: ReserveItem;
  granted: number[];
}

const units = 3;
const timeoutMs = 10_000;
const concurrency = 8;

const reserved: Scenario['steps'][number] = async (deps, charge) => {
  const [result] = await reserve(deps, [reserveItem(charge.item)], createDeadline(timeoutMs));
  if (result && 'attempt' in result) charge.granted.push(result.attempt);
};
const recorded =
  (kind: 'count' | 'void' | 'return', which: 'first' | 'last' = 'last'): Scenario['steps'][number] =>
  async (deps, { item, granted }) => {
    const attempt = (which === 'first' ? granted[0] : granted.at(-1)) as number;
    const event = usageEvent(eventOf(item, { attempt, periodStartMs: currentPeriodMs(deps.clock) }));
    await recordUsage(deps, [{ ...event, kind }], createDeadline(timeoutMs));
  };

const scenarios: Scenario[] = [
  {
    name: 'reserved, and its event consumed twice',
    steps: [reserved, recorded('count'), recorded('count')],
    used: units,
  },
  { name: 'reserved without an event', steps: [reserved], used: 0 },
  { name: 'voided before its event', steps: [reserved, recorded('void'), recorded('count')], used: 0 },
  { name: 'counted, then voided', steps: [reserved, recorded('count'), recorded('void')], used: 0 },
  {
    name: 'retried before its events',
    steps: [reserved, reserved, recorded('count', 'first'), recorded('count')],
    used: units,
  },
  { name: 'retried after it was counted', steps: [reserved, recorded('count'), reserved], used: units },
  { name: 'returned, then counted late', steps: [reserved, recorded('return'), recorded('count')], used: units },
];

describe('crashes of metering within a charge', () => {
  let metering: Metering;
  beforeAll(async () => {
    metering = await startMeterings('crash-points', { instances: 0 });
  });
  afterAll(() => metering?.stop());

  /** Runs a scenario with a crash at its nth call of the database; false when it has fewer calls. */
  const runWithCrash = async (scenario: Scenario, nth: number, when: 'before' | 'after', workspaceId: string) => {
    const charge: GatewayCharge = {
      item: itemOf(workspaceId, { fingerprint: Buffer.from('body'), units: { lookupCached: units } }),
      granted: [],
    };
    const crashing = crashingAt(metering.deps, nth, when);
    let crashes = 0;
    for (const step of scenario.steps) {
      try {
        await step(crashes === 0 ? crashing : metering.deps, charge);
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
        crashes += 1;
        // Another instance runs the step again: the gateway retries the call, or Kafka redelivers the event.
        await step(metering.deps, charge);
      }
    }
    return crashes > 0;
  };

  const reconciliation = async (workspaceId: string) => {
    const { balance } = await getUsage(metering.deps, workspaceId, { origin, deadline: createDeadline(timeoutMs) });
    const rows = await metering.db.collection('ledger').find({ workspaceId }).toArray();
    return {
      used: balance.used.lookupCached,
      reserved: balance.reserved.lookupCached,
      ledger: rows.reduce((sum, row) => sum + (row.units.lookupCached ?? 0), 0),
      repairs: await reconcilePeriods(metering.deps, [{ workspaceId, periodStartMs: balance.periodStartMs }]),
    };
  };

  for (const { when, tags } of crashMoments) {
    const title = `a charge whose metering instance crashes ${when} any call of the database is billed as without the crash`;
    it.each(scenarios)(`${title}: $name`, { timeout: 120_000, tags }, async (scenario) => {
      const workspaces: string[] = [];
      for (let nth = 1, crashed = true; crashed; nth += concurrency) {
        const runs = Array.from({ length: concurrency }, async (_, i) => {
          const workspaceId = newWorkspace();
          workspaces.push(workspaceId);
          return runWithCrash(scenario, nth + i, when, workspaceId);
        });
        crashed = (await Promise.all(runs)).at(-1) ?? false;
      }
      expect(workspaces.length).toBeGreaterThan(concurrency);

      // The sweeper returns the reservations of crashed instances.
      metering.clock.advance(60_000);
      const sweeper = createSweeper(metering.deps, metering.positions);
      await sweeper.tick();
      const seen = await Promise.all(workspaces.map(reconciliation));
      const expected = { used: scenario.used, reserved: 0, ledger: scenario.used, repairs: 0 };
      expect(seen).toEqual(workspaces.map(() => expected));
    });
  }
});
