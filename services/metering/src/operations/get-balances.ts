import { periodAt } from '@shopscope/clock';
import type { CallContext } from '@shopscope/grpc';
import { noUnits } from '@shopscope/proto';
import { balanceOf, nothingTaken, type WholeBalance } from '../domain/balance.ts';
import type { Dependencies } from './dependencies.ts';

/** Resolves to the balances of the current period: one per entry of `workspaceIds`, in the same order. */
export async function getBalances(
  deps: Dependencies,
  workspaceIds: readonly string[],
  context: CallContext,
): Promise<WholeBalance[]> {
  const { startMs } = periodAt(deps.clock.now());
  const ids = [...new Set(workspaceIds)];
  const used = await deps.counters.usedBy(ids, startMs, context.deadline.timeoutMs());
  const taken = await deps.allowances.takenBy(ids, startMs, context.deadline.timeoutMs());
  return workspaceIds.map((id) => balanceOf(startMs, used.get(id) ?? noUnits, taken.get(id) ?? nothingTaken));
}
