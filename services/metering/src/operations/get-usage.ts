import { periodAt } from '@shopscope/clock';
import { type Balance, balanceOf } from '../domain/balance.ts';
import { noUnits, type Units } from '../domain/units.ts';
import type { Caller, Dependencies } from './dependencies.ts';

export interface Usage {
  balance: Balance;
  keys: { keyId: string; used: Units }[];
}

/** Usage of the current period, per key as well; the keys' rows add up to the whole, being of one instant. */
export async function getUsage(deps: Dependencies, workspaceId: string, caller: Caller): Promise<Usage> {
  const { startMs } = periodAt(deps.clock.now());
  const counters = await deps.counters.ofPeriod(workspaceId, startMs, {
    maxTimeMS: caller.remainingMs,
    readConcern: 'snapshot',
  });
  const taken = await deps.allowances.takenBy([workspaceId], startMs, caller.remainingMs);
  const own = counters.find(({ keyId }) => keyId === '')?.used ?? noUnits;
  return {
    balance: balanceOf(startMs, own, taken.get(workspaceId) ?? noUnits),
    keys: counters.filter(({ keyId }) => keyId !== ''),
  };
}
