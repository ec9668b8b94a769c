import { minuteMs } from '@shopscope/clock';
import type { Tx } from '@shopscope/mongo';
import { allowanceKey } from '../domain/fold.ts';
import { addUsage, type KeyUsage, noUsage } from '../domain/key-usage.ts';
import type { PeriodOf } from '../domain/period.ts';
import { compareWithLedger, type Differences } from './compare-with-ledger.ts';
import type { Dependencies } from './dependencies.ts';
import { ofCurrentGenerations } from './generations.ts';

/**
 * All entries of this age are visible: MongoDB ends a transaction after 60 s, and clocks differ by less than the other 60 s. Every run
 * reads younger entries again.
 */
const checkpointAgeMs = 2 * minuteMs;
/** The latest instant that a Date can have. */
const endOfTimeMs = 8.64e15;

/** The usage per key of each period. Periods are by {@link allowanceKey}. */
type Sums = Map<string, ReadonlyMap<string, KeyUsage>>;

const keyOf = ({ workspaceId, periodStartMs }: PeriodOf): string => allowanceKey(workspaceId, periodStartMs);

/**
 * Compares the projections of periods (usage counters, daily counters, taken units) with the ledger and the open reservations, and
 * repairs the differences, all in one snapshot transaction. Each query reads all periods, because the overhead of a query for one period
 * is larger than its content. Leaves periods of ended generations as they are. Resolves to the number of repaired projections.
 */
export async function reconcilePeriods(deps: Dependencies, listed: readonly PeriodOf[]): Promise<number> {
  if (listed.length === 0) return 0;
  const repairs = await deps.transact(
    async (tx) => {
      const periods = await ofCurrentGenerations(deps, listed, tx);
      if (periods.length === 0) return [];
      const quick = await compareWithLedger(deps, periods, await sumsByCheckpoint(deps, periods, tx), tx);
      const differing = periods.filter((period) => isDifferent(quick.get(keyOf(period))));
      if (differing.length === 0) return [];
      // A checkpoint may be wrong: delete it, and repair only from the sum of all entries.
      for (const { workspaceId, periodStartMs } of differing) {
        await deps.checkpoints.remove(workspaceId, periodStartMs, tx);
      }
      const whole = await deps.ledger.sums(
        differing.map((period) => ({ ...period, afterMs: 0, untilMs: endOfTimeMs })),
        tx,
      );
      const found = await compareWithLedger(deps, differing, whole, tx);
      const nowMs = deps.clock.now();
      for (const { workspaceId, periodStartMs } of differing) {
        const { repairs: counters = [], taken } = found.get(allowanceKey(workspaceId, periodStartMs)) ?? {};
        await deps.counters.put(counters, nowMs, tx);
        if (taken) await deps.allowances.put(workspaceId, periodStartMs, taken.expected, nowMs, tx);
      }
      return differing.map((period) => ({ period, found: found.get(keyOf(period)) }));
    },
    { retryDuplicateKeys: true },
  );
  return repairs.reduce((sum, { period, found }) => sum + (found ? report(deps, period, found) : 0), 0);
}

const isDifferent = (found: Differences | undefined): boolean =>
  found !== undefined && (found.repairs.length > 0 || found.taken !== undefined);

function report({ metrics, logger }: Dependencies, period: PeriodOf, { counters, days, taken }: Differences): number {
  metrics.repaired.inc({ projection: 'usage_counters' }, counters.length);
  metrics.repaired.inc({ projection: 'daily_counters' }, days.length);
  metrics.repaired.inc({ projection: 'allowances' }, taken ? 1 : 0);
  const repaired = counters.length + days.length + (taken ? 1 : 0);
  if (repaired > 0) {
    logger.error({ ...period, counters, days, taken }, 'projections differed from the ledger; repaired');
  }
  return repaired;
}

/** Returns the sums of periods from checkpoints and later entries. Advances the checkpoints over the entries that are old enough. */
async function sumsByCheckpoint(deps: Dependencies, periods: readonly PeriodOf[], tx: Tx): Promise<Sums> {
  const checkpoints = await deps.checkpoints.findMany(periods.map(keyOf), tx);
  const oldMs = deps.clock.now() - checkpointAgeMs;
  const spans = periods.map((period) => {
    const { untilMs: afterMs, usage } = checkpoints.get(keyOf(period)) ?? { untilMs: 0, usage: new Map() };
    return { ...period, usage, afterMs, untilMs: Math.max(afterMs, oldMs) };
  });
  const settled = await deps.ledger.sums(spans, tx);
  const advanced = spans.map((span) => ({ ...span, usage: sumMaps(span.usage, settled.get(keyOf(span))) }));
  await deps.checkpoints.put(
    advanced.filter((span) => settled.has(keyOf(span))),
    tx,
  );
  const recent = await deps.ledger.sums(
    spans.map(({ untilMs, ...span }) => ({ ...span, afterMs: untilMs, untilMs: endOfTimeMs })),
    tx,
  );
  return new Map(advanced.map((span) => [keyOf(span), sumMaps(span.usage, recent.get(keyOf(span)))]));
}

function sumMaps(
  a: ReadonlyMap<string, KeyUsage>,
  b: ReadonlyMap<string, KeyUsage> = new Map(),
): Map<string, KeyUsage> {
  const sums = new Map(a);
  for (const [key, usage] of b) sums.set(key, addUsage(sums.get(key) ?? noUsage, usage));
  return sums;
}
