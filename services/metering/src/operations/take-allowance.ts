import type { Tx } from '@shopscope/mongo';
import { type AllowanceRequest, grantOneByOne, sumOfRequests } from '../domain/allowance.ts';
import type { AllowanceState } from '../domain/fold.ts';
import { add, isZero, noUnits, smallest, type UnitKey, type Units } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';

export interface Taken {
  /** Parallel to the requests: undefined when granted, else the exhausted unit. */
  exhausted: (UnitKey | undefined)[];
  /** The allowance taken, after the change. */
  taken: Units;
}

/** The workspace and period of an allowance. */
export interface AllowancePeriod {
  workspaceId: string;
  periodStartMs: number;
}

/**
 * Takes the sum of all requests in one conditional update. The sum does not fit, or the period has no allowance document
 * yet -> undefined, nothing taken.
 */
export function takeSum(
  deps: Dependencies,
  period: AllowancePeriod,
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

/** Takes the requested units: the sum in one conditional update when it fits, else one request after the other, in order. */
export async function takeAllowance(
  deps: Dependencies,
  period: AllowancePeriod,
  requests: readonly AllowanceRequest[],
  nowMs: number,
  tx: Tx,
): Promise<Taken> {
  const last = requests.at(-1);
  const state = () => deps.allowances.find(period.workspaceId, period.periodStartMs, tx);
  if (!last) return { exhausted: [], taken: (await state())?.taken ?? noUnits };

  const all = await takeSum(deps, period, requests, nowMs, tx);
  if (all) return { exhausted: requests.map(() => undefined), taken: all };

  // The transaction reads and writes the allowance: a concurrent write causes a conflict, and the transaction restarts.
  const before: AllowanceState | undefined = await state();
  const { exhausted, delta } = grantOneByOne(before?.taken ?? noUnits, requests);
  const taken = add(before?.taken ?? noUnits, delta);
  if (!before) await deps.allowances.insert(period, { taken, included: last.included }, nowMs, tx);
  else if (!isZero(delta)) await deps.allowances.add([{ ...period, units: delta }], nowMs, tx);
  return { exhausted, taken };
}
