import { createDeadline } from '@shopscope/async';
import type { ReserveItem } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveItem, usageSignal } from '../../src/inbound/decode.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { reconcilePeriod } from '../../src/operations/reconcile-period.ts';
import { recordUsage } from '../../src/operations/record-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { createSweeper } from '../../src/operations/sweep.ts';
import { currentPeriodMs, eventOf, itemOf, type Metering, newWorkspace, origin, startMeterings } from './harness.ts';
import { dyingAt, Killed } from './killed.ts';

/** What happens to a charge, step by step; each step is one transaction of an instance that may die within it. */
interface Life {
  name: string;
  steps: ((deps: Dependencies, charge: Attempts) => Promise<void>)[];
  /** Units that count in the end, whatever died and was done again. */
  used: number;
}

/** A charge as its gateway knows it: the attempt that each answer named. */
interface Attempts {
  item: ReserveItem;
  granted: number[];
}

const units = 3;
const timeoutMs = 10_000;
/** Lives that are lived beside each other. */
const atOnce = 8;

const reserved: Life['steps'][number] = async (deps, charge) => {
  const [result] = await reserve(deps, [reserveItem(charge.item)], createDeadline(timeoutMs));
  if (result && 'attempt' in result) charge.granted.push(result.attempt);
};
const signalled =
  (signal: 'count' | 'void' | 'return', which: 'first' | 'last' = 'last'): Life['steps'][number] =>
  async (deps, { item, granted }) => {
    const attempt = (which === 'first' ? granted[0] : granted.at(-1)) as number;
    const event = usageSignal(eventOf(item, { attempt, periodStartMs: currentPeriodMs(deps.clock) }));
    await recordUsage(deps, [{ ...event, signal }], createDeadline(timeoutMs));
  };

const lives: Life[] = [
  { name: 'reserved and counted, twice over', steps: [reserved, signalled('count'), signalled('count')], used: units },
  { name: 'reserved and left', steps: [reserved], used: 0 },
  { name: 'voided before its event comes', steps: [reserved, signalled('void'), signalled('count')], used: 0 },
  { name: 'counted, then voided', steps: [reserved, signalled('count'), signalled('void')], used: 0 },
  {
    name: 'retried before its events come',
    steps: [reserved, reserved, signalled('count', 'first'), signalled('count')],
    used: units,
  },
  { name: 'retried after it was counted', steps: [reserved, signalled('count'), reserved], used: units },
  { name: 'given back, then counted late', steps: [reserved, signalled('return'), signalled('count')], used: units },
];

describe('a charge whose metering instance dies', () => {
  let metering: Metering;
  beforeAll(async () => {
    metering = await startMeterings('crash-points', { instances: 0 });
  });
  afterAll(() => metering?.stop());

  /** Lives the life with a death at its nth step through the database; false when it is over before that. */
  const liveAndDie = async (life: Life, nth: number, when: 'before' | 'after', workspaceId: string) => {
    const charge: Attempts = {
      item: itemOf(workspaceId, { fingerprint: Buffer.from('body'), units: { lookupCached: units } }),
      granted: [],
    };
    const dying = dyingAt(metering.deps, nth, when);
    let deaths = 0;
    for (const step of life.steps) {
      try {
        await step(deaths === 0 ? dying : metering.deps, charge);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        deaths += 1;
        // Another instance is asked again: by the retry of an answer that did not come, or by Kafka.
        await step(metering.deps, charge);
      }
    }
    return deaths > 0;
  };

  const books = async (workspaceId: string) => {
    const { balance } = await getUsage(metering.deps, workspaceId, { origin, deadline: createDeadline(timeoutMs) });
    const rows = await metering.db.collection('ledger').find({ workspaceId }).toArray();
    return {
      used: balance.used.lookupCached,
      reserved: balance.reserved.lookupCached,
      ledger: rows.reduce((sum, row) => sum + (row.units.lookupCached ?? 0), 0),
      repairs: await reconcilePeriod(metering.deps, workspaceId, balance.periodStartMs),
    };
  };

  it.each(lives.flatMap((life) => (['before', 'after'] as const).map((when) => ({ ...life, when }))))(
    '$when any of its steps through the database, is billed as if nobody had died: $name',
    async ({ when, ...life }) => {
      const workspaces: string[] = [];
      for (let nth = 1, died = true; died; nth += atOnce) {
        const lived = Array.from({ length: atOnce }, async (_, i) => {
          const workspaceId = newWorkspace();
          workspaces.push(workspaceId);
          return liveAndDie(life, nth + i, when, workspaceId);
        });
        died = (await Promise.all(lived)).at(-1) ?? false;
      }
      expect(workspaces.length).toBeGreaterThan(atOnce);

      // What the deaths stranded is given back.
      metering.clock.advance(60_000);
      const sweeper = createSweeper(metering.deps, metering.positions);
      await sweeper.tick();
      const seen = await Promise.all(workspaces.map(books));
      const expected = { used: life.used, reserved: 0, ledger: life.used, repairs: 0 };
      expect(seen).toEqual(workspaces.map(() => expected));
    },
    120_000,
  );
});
