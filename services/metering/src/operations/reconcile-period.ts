import type { Tx } from '@shopscope/mongo';
import type { CounterDelta } from '../domain/fold.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import type { PeriodOf } from '../domain/period.ts';
import { add, equal, noUnits, type Units } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';

/** All entries of this age are visible: a transaction takes seconds, and clocks differ by less. */
const checkpointAgeMs = 5 * 60 * 1000;
/** The latest instant of a Date. */
const endOfTimeMs = 8.64e15;
/** With more open reservations than this, the allowance is not compared in this run. */
const maxOpenReservations = 50_000;

/**
 * Compares the projections of a workspace's period (usage counters, allowance taken) with the ledger and the open
 * reservations, and repairs the differences, all in one snapshot transaction. Resolves to the number of repaired
 * projections.
 */
export async function reconcilePeriod(deps: Dependencies, workspaceId: string, periodStartMs: number): Promise<number> {
  const period = { workspaceId, periodStartMs };
  const differences = await deps.transact(
    async (tx) => {
      const quick = await compare(deps, period, await sumsByCheckpoint(deps, period, tx), tx);
      if (quick.counters.length === 0 && !quick.taken) return quick;
      // The checkpoint may be wrong: delete it, and repair only by the sum of all entries.
      await deps.checkpoints.remove(workspaceId, periodStartMs, tx);
      const whole = await deps.ledger.sum({ ...period, afterMs: 0, untilMs: endOfTimeMs }, tx);
      const found = await compare(deps, period, whole, tx);
      const nowMs = deps.clock.now();
      await deps.counters.put(found.counters, nowMs, tx);
      if (found.taken) await deps.allowances.put(workspaceId, periodStartMs, found.taken.expected, nowMs, tx);
      return found;
    },
    { retryDuplicateKeys: true },
  );

  deps.metrics.repaired.inc({ projection: 'usage_counters' }, differences.counters.length);
  deps.metrics.repaired.inc({ projection: 'allowances' }, differences.taken ? 1 : 0);
  const repaired = differences.counters.length + (differences.taken ? 1 : 0);
  if (repaired > 0) deps.logger.error({ ...period, ...differences }, 'projections differed from the ledger; repaired');
  return repaired;
}

async function sumsByCheckpoint(deps: Dependencies, period: PeriodOf, tx: Tx): Promise<Map<string, Units>> {
  const { workspaceId, periodStartMs } = period;
  const checkpoint = await deps.checkpoints.find(workspaceId, periodStartMs, tx);
  const untilMs = Math.max(checkpoint.untilMs, deps.clock.now() - checkpointAgeMs);
  const settled = await deps.ledger.sum({ ...period, afterMs: checkpoint.untilMs, untilMs }, tx);
  const used = sumMaps(checkpoint.used, settled);
  if (settled.size > 0) await deps.checkpoints.put(workspaceId, periodStartMs, { untilMs, used }, tx);
  const recent = await deps.ledger.sum({ ...period, afterMs: untilMs, untilMs: endOfTimeMs }, tx);
  return sumMaps(used, recent);
}

interface Differences {
  /** Counters that differ: `units` are expected, `found` are stored. */
  counters: (CounterDelta & { found: Units })[];
  taken: { expected: Units; found: Units } | undefined;
}

async function compare(
  deps: Dependencies,
  period: PeriodOf,
  sums: ReadonlyMap<string, Units>,
  tx: Tx,
): Promise<Differences> {
  const { workspaceId, periodStartMs } = period;
  const own = [...sums.values()].reduce(add, noUnits);
  const expected = new Map([...sums, ['', own] as const]);
  const counters = await deps.counters.ofPeriod(workspaceId, periodStartMs, tx);
  const found = new Map(counters.map(({ keyId, used }) => [keyId, used]));
  const differing = [...new Set([...expected.keys(), ...found.keys()])]
    .map((keyId) => ({
      ...period,
      keyId,
      units: expected.get(keyId) ?? noUnits,
      found: found.get(keyId) ?? noUnits,
    }))
    .filter((counter) => !equal(counter.units, counter.found));

  const reserved = await openUnits(deps, period, tx);
  if (!reserved) return { counters: differing, taken: undefined };
  const taken = (await deps.allowances.find(workspaceId, periodStartMs, tx))?.taken ?? noUnits;
  const expectedTaken = add(own, reserved);
  return {
    counters: differing,
    taken: equal(taken, expectedTaken) ? undefined : { expected: expectedTaken, found: taken },
  };
}

/** The units that open attempts hold; undefined when there are more than `maxOpenReservations`. */
async function openUnits(deps: Dependencies, period: PeriodOf, tx: Tx): Promise<Units | undefined> {
  const charges = await deps.charges.maybeOpen(period.workspaceId, period.periodStartMs, maxOpenReservations + 1, tx);
  if (charges.length > maxOpenReservations) return undefined;
  const entries = await deps.ledger.entriesOf(
    charges.map(({ id, attempt }) => attemptKey(id, attempt)),
    tx,
  );
  return charges
    .filter(({ id, attempt }) => !entries.has(attemptKey(id, attempt)))
    .reduce((sum, { units }) => add(sum, units), noUnits);
}

function sumMaps(a: ReadonlyMap<string, Units>, b: ReadonlyMap<string, Units>): Map<string, Units> {
  const sums = new Map(a);
  for (const [key, units] of b) sums.set(key, add(sums.get(key) ?? noUnits, units));
  return sums;
}
