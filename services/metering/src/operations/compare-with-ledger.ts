import type { Tx } from '@shopscope/mongo';
import { noUnits, type Units } from '@shopscope/proto';
import { nothingTaken } from '../domain/balance.ts';
import { workspacesOf } from '../domain/charge.ts';
import { dayName } from '../domain/day.ts';
import { allowanceKey, type CounterDelta } from '../domain/fold.ts';
import { differingDays, type KeyUsage, noUsage, unitsOn } from '../domain/key-usage.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import type { PeriodOf } from '../domain/period.ts';
import { add, equal } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';
import { lentUnits } from './take-allowance.ts';

/** Allowances are not compared if there are more open reservations than this. */
const maxOpenReservations = 50_000;

/** The units that the ledger implies, and the units that are stored. */
interface Difference {
  expected: Units;
  found: Units;
}

export interface Differences {
  counters: (Difference & { keyId: string })[];
  /** The daily counters. `day` is the name of the day. */
  days: (Difference & { keyId: string; day: string })[];
  taken: Difference | undefined;
  /** The corrected counters: those in which a total or a day differs. */
  repairs: CounterDelta[];
}

/**
 * Compares the projections of periods with `sums` (the usage per key according to the ledger) and with the units that open
 * reservations and leases hold. Sums and differences are by {@link allowanceKey}.
 */
export async function compareWithLedger(
  deps: Dependencies,
  periods: readonly PeriodOf[],
  sums: ReadonlyMap<string, ReadonlyMap<string, KeyUsage>>,
  tx: Tx,
): Promise<Map<string, Differences>> {
  const ids = periods.map(({ workspaceId, periodStartMs }) => allowanceKey(workspaceId, periodStartMs));
  const stored = await deps.counters.ofPeriodsByDay(periods, tx);
  const reserved = await openUnits(deps, periods, tx);
  const allowances = await deps.allowances.findMany(ids, tx);
  const lent = await lentUnits(deps, ids, tx);
  return new Map(
    periods.map((period, n) => {
      const id = ids[n] as string;
      const { own, differences } = compareCounters(period, sums.get(id) ?? new Map(), stored.get(id) ?? []);
      if (!reserved) return [id, differences];
      const { taken, adjustment } = allowances.get(id) ?? nothingTaken;
      const held = lent.get(id)?.unsettled ?? noUnits;
      const expected = [reserved.get(id) ?? noUnits, held, adjustment].reduce(add, own);
      if (!equal(taken, expected)) differences.taken = { expected, found: taken };
      return [id, differences];
    }),
  );
}

function compareCounters(
  period: PeriodOf,
  sums: ReadonlyMap<string, KeyUsage>,
  stored: readonly (KeyUsage & { keyId: string })[],
): { own: Units; differences: Differences } {
  const own = [...sums.values()].reduce((sum, { used }) => add(sum, used), noUnits);
  const expected = new Map([...sums, ['', { ...noUsage, used: own }] as const]);
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
  return { own, differences };
}

/**
 * Returns the units that open attempts hold, by {@link allowanceKey}. If there are more than `maxOpenReservations`, returns undefined
 * for one period, and rejects for several periods, so that each is compared alone.
 */
async function openUnits(
  deps: Dependencies,
  periods: readonly PeriodOf[],
  tx: Tx,
): Promise<Map<string, Units> | undefined> {
  const charges = await deps.charges.maybeOpen(periods, maxOpenReservations + 1, tx);
  if (charges.length > maxOpenReservations) {
    if (periods.length > 1) throw new Error('the periods have too many reservations for one comparison');
    return undefined;
  }
  const entries = await deps.ledger.entriesOf(
    charges.map(({ id, attempt }) => attemptKey(id, attempt)),
    workspacesOf(charges),
    tx,
  );
  const open = new Map<string, Units>();
  for (const { id, attempt, workspaceId, periodStartMs, units } of charges) {
    if (entries.has(attemptKey(id, attempt))) continue;
    const period = allowanceKey(workspaceId, periodStartMs);
    open.set(period, add(open.get(period) ?? noUnits, units));
  }
  return open;
}
