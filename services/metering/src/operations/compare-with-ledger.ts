import type { Tx } from '@shopscope/mongo';
import { dayName } from '../domain/day.ts';
import type { CounterDelta } from '../domain/fold.ts';
import { differingDays, type KeyUsage, noUsage, unitsOn } from '../domain/key-usage.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import type { PeriodOf } from '../domain/period.ts';
import { add, equal, noUnits, type Units, unitsOf } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';
import { lentUnits } from './take-allowance.ts';

/** With more open reservations than this, the allowance is not compared in this run. */
const maxOpenReservations = 50_000;

/** What is expected by the ledger, and what is stored. */
interface Difference {
  expected: Units;
  found: Units;
}

export interface Differences {
  counters: (Difference & { keyId: string })[];
  /** Daily counters; `day` is the name of the day. */
  days: (Difference & { keyId: string; day: string })[];
  taken: Difference | undefined;
  /** The counters in which a total or a day differs, as they should be. */
  repairs: CounterDelta[];
}

/**
 * Compares the projections of a period with `sums`, the usage per key by the ledger, and with what open reservations and
 * leases hold.
 */
export async function compareWithLedger(
  deps: Dependencies,
  period: PeriodOf,
  sums: ReadonlyMap<string, KeyUsage>,
  tx: Tx,
): Promise<Differences> {
  const { workspaceId, periodStartMs } = period;
  const own = [...sums.values()].reduce((sum, { used }) => add(sum, used), noUnits);
  const expected = new Map([...sums, ['', { ...noUsage, used: own }] as const]);
  const stored = await deps.counters.ofPeriodByDay(workspaceId, periodStartMs, tx);
  const found = new Map(stored.map((counter) => [counter.keyId, counter]));
  const differences: Differences = { counters: [], days: [], taken: undefined, repairs: [] };
  for (const keyId of new Set([...expected.keys(), ...found.keys()])) {
    const should = expected.get(keyId) ?? noUsage;
    const is = found.get(keyId) ?? noUsage;
    const isTotalRight = equal(should.used, is.used);
    const days = differingDays(should, is);
    if (isTotalRight && days.length === 0) continue;
    differences.repairs.push({ ...period, keyId, ...should });
    if (!isTotalRight) differences.counters.push({ keyId, expected: should.used, found: is.used });
    for (const day of days) {
      differences.days.push({ keyId, day: dayName(day), expected: unitsOn(day, should), found: unitsOn(day, is) });
    }
  }

  const reserved = await openUnits(deps, period, tx);
  if (!reserved) return differences;
  const taken = (await deps.allowances.find(workspaceId, periodStartMs, tx))?.taken ?? noUnits;
  const expectedTaken = add(
    add(own, reserved),
    unitsOf({ lookupCached: (await lentUnits(deps, period, tx)).unsettled }),
  );
  if (!equal(taken, expectedTaken)) differences.taken = { expected: expectedTaken, found: taken };
  return differences;
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
