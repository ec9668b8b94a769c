import type { Tx } from '@shopscope/mongo';
import { isZero, leasableUnits, noUnits, type UnitKey, type Units, unitsOf } from '@shopscope/proto';
import { type AllowanceRequest, grantOneByOne, sumOfRequests } from '../domain/allowance.ts';
import { type AllowanceState, allowanceKey } from '../domain/fold.ts';
import { leaseCountKey } from '../domain/lease.ts';
import type { PeriodOf } from '../domain/period.ts';
import { add, smallest } from '../domain/units.ts';
import type { LeaseCount } from '../outbound/mongo/lease-counts.ts';
import type { LeasedAllowance } from '../outbound/mongo/leases.ts';
import type { Dependencies } from './dependencies.ts';

export interface Taken {
  /** One entry per request, in the same order: undefined if the request is granted, else the exhausted unit. */
  exhausted: (UnitKey | undefined)[];
  /** The taken units after the change. */
  taken: Units;
  /** The units that leases hold. Present only if a unit that leases lend is exhausted. */
  lent?: Lent | undefined;
}

export interface Lent {
  /** The units that leases hold and the ledger has not settled. They are part of the taken units. */
  unsettled: Units;
  /** The units of leases that may return: as far as is known, they are neither settled nor spent. */
  unspent: Units;
  /** When the last lease with unspent units ends, per unit, by the clock of MongoDB. It is 0 if there is no such lease. */
  endsAtMs: Readonly<Record<UnitKey, number>>;
}

const noneLent: Lent = { unsettled: noUnits, unspent: noUnits, endsAtMs: noUnits };

/**
 * Takes the sum of all requests in one conditional update. If the sum does not fit, or the period has no allowance document
 * yet, it takes nothing and resolves to undefined.
 */
export function takeSum(
  deps: Dependencies,
  period: PeriodOf,
  requests: readonly AllowanceRequest[],
  nowMs: number,
  tx: Tx,
): Promise<Units | undefined> {
  const sum = {
    delta: sumOfRequests(requests),
    requested: requests.reduce((total, { units }) => add(total, units), noUnits),
    included: requests.map(({ included }) => included).reduce(smallest),
  };
  return deps.allowances.takeIfFits(period, sum, nowMs, tx);
}

/** Takes the requested units: their sum in one conditional update if it fits, else one request after the other, in order. */
export async function takeAllowance(
  deps: Dependencies,
  period: PeriodOf,
  requests: readonly AllowanceRequest[],
  nowMs: number,
  tx: Tx,
): Promise<Taken> {
  const last = requests.at(-1);
  const state = () => deps.allowances.find(period.workspaceId, period.periodStartMs, tx);
  if (!last) return { exhausted: [], taken: (await state())?.taken ?? noUnits };

  const all = await takeSum(deps, period, requests, nowMs, tx);
  if (all) return { exhausted: requests.map(() => undefined), taken: all };

  // The transaction reads and writes the allowance. A concurrent write therefore causes a conflict, and the transaction restarts.
  const before: AllowanceState | undefined = await state();
  const { exhausted, delta } = grantOneByOne(before?.taken ?? noUnits, requests);
  const taken = add(before?.taken ?? noUnits, delta);
  if (!before) await deps.allowances.insert(period, { taken, included: last.included }, nowMs, tx);
  else if (!isZero(delta)) await deps.allowances.add([{ ...period, units: delta }], nowMs, tx);
  if (!leasableUnits.some((unit) => exhausted.includes(unit))) return { exhausted, taken };
  const id = allowanceKey(period.workspaceId, period.periodStartMs);
  return { exhausted, taken, lent: (await lentUnits(deps, [id], tx)).get(id) ?? noneLent };
}

/** Resolves to the units that leases hold, in one snapshot, by {@link allowanceKey}. An allowance without a lease is absent. */
export async function lentUnits(deps: Dependencies, ids: readonly string[], tx: Tx): Promise<Map<string, Lent>> {
  const allowances = [...(await deps.leases.findMany(ids, tx)).values()].filter(({ leases }) => leases.length > 0);
  const counts = await deps.leaseCounts.findMany(
    allowances.flatMap(({ id, leases }) => leases.map((lease) => leaseCountKey(id, lease.id))),
    tx,
  );
  return new Map(allowances.map((allowance) => [allowance.id, lentBy(allowance, counts)]));
}

function lentBy({ id, leases }: LeasedAllowance, counts: ReadonlyMap<string, LeaseCount>): Lent {
  return leases.reduce<Lent>((lent, lease) => {
    const settled = counts.get(leaseCountKey(id, lease.id))?.settled ?? 0;
    const { unit } = lease;
    const unspent = Math.max(0, lease.granted - Math.max(settled, lease.spent));
    const endsAtMs = unspent > 0 ? Math.max(lent.endsAtMs[unit], lease.endsAt.getTime()) : lent.endsAtMs[unit];
    return {
      unsettled: add(lent.unsettled, unitsOf({ [unit]: lease.granted - settled })),
      unspent: add(lent.unspent, unitsOf({ [unit]: unspent })),
      endsAtMs: { ...lent.endsAtMs, [unit]: endsAtMs },
    };
  }, noneLent);
}
