import type { Tx } from '@shopscope/mongo';
import { addUsage, type KeyUsage, noUsage } from '../domain/key-usage.ts';
import type { PeriodOf } from '../domain/period.ts';
import { compareWithLedger } from './compare-with-ledger.ts';
import type { Dependencies } from './dependencies.ts';

/** All entries of this age are visible: a transaction takes seconds, and clocks differ by less. */
const checkpointAgeMs = 5 * 60 * 1000;
/** The latest instant of a Date. */
const endOfTimeMs = 8.64e15;

/**
 * Compares the projections of a workspace's period (usage counters, daily counters, allowance taken) with the ledger and
 * the open reservations, and repairs the differences, all in one snapshot transaction. Resolves to the number of
 * repaired projections.
 */
export async function reconcilePeriod(deps: Dependencies, workspaceId: string, periodStartMs: number): Promise<number> {
  const period = { workspaceId, periodStartMs };
  const { counters, days, taken } = await deps.transact(
    async (tx) => {
      const quick = await compareWithLedger(deps, period, await sumsByCheckpoint(deps, period, tx), tx);
      if (quick.repairs.length === 0 && !quick.taken) return quick;
      // The checkpoint may be wrong: delete it, and repair only by the sum of all entries.
      await deps.checkpoints.remove(workspaceId, periodStartMs, tx);
      const whole = await deps.ledger.sum({ ...period, afterMs: 0, untilMs: endOfTimeMs }, tx);
      const found = await compareWithLedger(deps, period, whole, tx);
      const nowMs = deps.clock.now();
      await deps.counters.put(found.repairs, nowMs, tx);
      if (found.taken) await deps.allowances.put(workspaceId, periodStartMs, found.taken.expected, nowMs, tx);
      return found;
    },
    { retryDuplicateKeys: true },
  );

  deps.metrics.repaired.inc({ projection: 'usage_counters' }, counters.length);
  deps.metrics.repaired.inc({ projection: 'daily_counters' }, days.length);
  deps.metrics.repaired.inc({ projection: 'allowances' }, taken ? 1 : 0);
  const repaired = counters.length + days.length + (taken ? 1 : 0);
  if (repaired > 0) {
    deps.logger.error({ ...period, counters, days, taken }, 'projections differed from the ledger; repaired');
  }
  return repaired;
}

async function sumsByCheckpoint(deps: Dependencies, period: PeriodOf, tx: Tx): Promise<Map<string, KeyUsage>> {
  const { workspaceId, periodStartMs } = period;
  const checkpoint = await deps.checkpoints.find(workspaceId, periodStartMs, tx);
  const untilMs = Math.max(checkpoint.untilMs, deps.clock.now() - checkpointAgeMs);
  const settled = await deps.ledger.sum({ ...period, afterMs: checkpoint.untilMs, untilMs }, tx);
  const usage = sumMaps(checkpoint.usage, settled);
  if (settled.size > 0) await deps.checkpoints.put(workspaceId, periodStartMs, { untilMs, usage }, tx);
  const recent = await deps.ledger.sum({ ...period, afterMs: untilMs, untilMs: endOfTimeMs }, tx);
  return sumMaps(usage, recent);
}

function sumMaps(a: ReadonlyMap<string, KeyUsage>, b: ReadonlyMap<string, KeyUsage>): Map<string, KeyUsage> {
  const sums = new Map(a);
  for (const [key, usage] of b) sums.set(key, addUsage(sums.get(key) ?? noUsage, usage));
  return sums;
}
