import type { Tx } from '@shopscope/mongo';
import { grantSingly, sumOfWanted, type Wanted } from '../domain/allowance.ts';
import type { AllowanceState } from '../domain/fold.ts';
import { add, isZero, noUnits, smallest, type UnitKey, type Units } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';

export interface Taken {
  /** Parallel to what was wanted: undefined when granted, else the unit that is exhausted. */
  exhausted: (UnitKey | undefined)[];
  /** What is taken of the allowance now. */
  taken: Units;
}

/** The workspace and month whose allowance is asked. */
export interface AllowancePeriod {
  workspaceId: string;
  periodStartMs: number;
}

/** Takes all that is wanted in one conditional update; undefined, and nothing taken, when it does not fit or is the period's first. */
export function takeWhole(
  deps: Dependencies,
  period: AllowancePeriod,
  wanted: readonly Wanted[],
  nowMs: number,
  tx: Tx,
): Promise<Units | undefined> {
  const want = {
    delta: sumOfWanted(wanted),
    asked: wanted.reduce((sum, { units }) => add(sum, units), noUnits),
    included: wanted.map(({ included }) => included).reduce(smallest),
  };
  return deps.allowances.takeIfFits(period, want, nowMs, tx);
}

/**
 * Takes from the allowance what is wanted: all of it in one conditional update when the sum fits, else one after the
 * other, in order.
 */
export async function takeAllowance(
  deps: Dependencies,
  period: AllowancePeriod,
  wanted: readonly Wanted[],
  nowMs: number,
  tx: Tx,
): Promise<Taken> {
  const last = wanted.at(-1);
  const state = () => deps.allowances.find(period.workspaceId, period.periodStartMs, tx);
  if (!last) return { exhausted: [], taken: (await state())?.taken ?? noUnits };

  const all = await takeWhole(deps, period, wanted, nowMs, tx);
  if (all) return { exhausted: wanted.map(() => undefined), taken: all };

  // Read in the transaction that writes it: another writer in between makes this one begin again.
  const before: AllowanceState | undefined = await state();
  const { exhausted, delta } = grantSingly(before?.taken ?? noUnits, wanted);
  const taken = add(before?.taken ?? noUnits, delta);
  if (!before) await deps.allowances.insert(period, { taken, included: last.included }, nowMs, tx);
  else if (!isZero(delta)) await deps.allowances.add([{ ...period, units: delta }], nowMs, tx);
  return { exhausted, taken };
}
