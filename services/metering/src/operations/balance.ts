import { periodAt } from '@shopscope/clock';
import { atLeastZero, noUnits, subtract, type Units } from '../domain/units.ts';
import type { Caller, Dependencies } from './dependencies.ts';

export interface Balance {
  periodStartMs: number;
  periodEndMs: number;
  used: Units;
  reserved: Units;
}

/** `used` and `reserved` add up to what is taken, even when the two were read at different instants. */
export function balanceOf(periodStartMs: number, used: Units, taken: Units): Balance {
  return {
    periodStartMs,
    periodEndMs: periodAt(periodStartMs).endMs,
    used,
    reserved: atLeastZero(subtract(taken, used)),
  };
}

/** Balances of the current period, parallel to the workspaces. */
export async function getBalances(
  deps: Dependencies,
  workspaceIds: readonly string[],
  caller: Caller,
): Promise<Balance[]> {
  const { startMs } = periodAt(deps.clock.now());
  const ids = [...new Set(workspaceIds)];
  const used = await deps.counters.ofWorkspaces(ids, startMs, caller.remainingMs);
  const taken = await deps.allowances.takenBy(ids, startMs, caller.remainingMs);
  return workspaceIds.map((id) => balanceOf(startMs, used.get(id) ?? noUnits, taken.get(id) ?? noUnits));
}
