import type { CallContext } from '@shopscope/grpc';
import { noUnits, type Units } from '@shopscope/proto';
import { balanceOf, nothingTaken, type WholeBalance } from '../domain/balance.ts';
import { requestedPeriod } from '../domain/period.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Resolves to the usage of a workspace in a period, in total and per key. The default is the current period. The rows of
 * the keys add up to the total, because all are read in one snapshot. Counters of past periods are never deleted.
 */
export async function getUsage(
  deps: Dependencies,
  workspaceId: string,
  context: CallContext,
  periodStartMs?: number,
): Promise<{ balance: WholeBalance; keys: { keyId: string; used: Units }[] }> {
  const { startMs } = requestedPeriod(deps.clock.now(), periodStartMs);
  const counters = await deps.counters.ofPeriod(workspaceId, startMs, {
    maxTimeMS: context.deadline.timeoutMs(),
    readConcern: 'snapshot',
  });
  const taken = await deps.allowances.takenBy([workspaceId], startMs, context.deadline.timeoutMs());
  const own = counters.find(({ keyId }) => keyId === '')?.used ?? noUnits;
  return {
    balance: balanceOf(startMs, own, taken.get(workspaceId) ?? nothingTaken),
    keys: counters.filter(({ keyId }) => keyId !== ''),
  };
}
