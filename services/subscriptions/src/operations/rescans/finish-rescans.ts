import type { Deadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import { type Execution, nextRetry, periodOf } from '../../domain/rescan.ts';
import { endOfPeriod, inPeriod, leftOf, pausedUntil, type Rescans, scheduled } from '../../domain/rescans.ts';
import type { Watchlist } from '../../domain/watchlist.ts';
import type { Dependencies } from '../dependencies.ts';
import { saveWatchlist } from '../save-watchlist.ts';

/**
 * Saves what executions of rescans of one watchlist have done, in one transaction.
 *
 * - Nothing was billed -> the unit returns to the budget of its period.
 * - A unit was billed after the end of the period -> it belongs to the budget of the new period.
 * - The allowance is spent -> the stores get their places back, and the rescans pause until the allowance returns.
 * - The budget is spent, and no execution is open -> the rescans pause until the end of the period.
 * - The process is killed before -> the executions are repeated, and end in the same way.
 */
export async function finishRescans<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  watchlistId: string,
  executions: readonly Execution[],
  { origin, deadline }: { origin: Origin; deadline: Deadline },
): Promise<void> {
  const ref = { ...tenant, id: watchlistId };
  await deps.transact(
    async (tx) => {
      const now = new Date(deps.clock.now());
      // Another visit may have saved the end of the same execution.
      const saved: Execution[] = [];
      for (const execution of executions) if (await saveExecution(deps, execution, now, tx)) saved.push(execution);
      const before = await deps.watchlists.find(ref, tx);
      if (!before) return;
      const current = inPeriod(before.rescans, now);
      const spent = saved.reduce((sum, execution) => sum + spentBy(execution, current), 0);
      const rescans = { ...current, taken: Math.max(0, current.taken + spent) };
      const isOpen = leftOf(rescans) === 0 && (await deps.rescans.hasStarted(ref, tx));
      const after = { ...before, rescans: afterExecutions(before, rescans, saved, isOpen, now) };
      await saveWatchlist(deps, tx, { before, after, now, origin });
    },
    { deadline },
  );
  for (const { outcome } of executions) deps.metrics.rescans.inc({ environment: deps.environment, outcome });
}

/** Returns whether the execution was saved. */
async function saveExecution<E extends Environment>(
  deps: Dependencies<E>,
  execution: Execution,
  now: Date,
  tx: Tx,
): Promise<boolean> {
  const { rescan, outcome } = execution;
  const { workspaceId, watchlistId: id, attempts } = rescan;
  if (outcome === 'billed' || outcome === 'joined') {
    const { jobId } = execution;
    return deps.rescans.set(rescan, { state: 'requested', jobId, isBilled: outcome === 'billed' }, tx);
  }
  if (outcome === 'failed') {
    const at = nextRetry(rescan, now);
    const again = rescan.state === 'started' ? { retryAt: at } : { withdrawAt: at, attempts: attempts + 1 };
    return deps.rescans.set(rescan, again, tx);
  }
  const isDeleted = await deps.rescans.delete(rescan, tx);
  if (isDeleted && (outcome === 'refused' || outcome === 'canceled')) {
    await deps.watchedTurns.returnTurn({ environment: deps.environment, workspaceId, id }, rescan, tx);
  }
  return isDeleted;
}

const freeOutcomes: ReadonlySet<Execution['outcome']> = new Set(['joined', 'refused', 'canceled', 'late']);

/** Returns how many units of the present period an execution takes besides the one that its turn has taken, or gives back. */
function spentBy(execution: Execution, { periodStart }: Rescans): number {
  const isOfPeriod = +periodOf(execution.rescan) === +periodStart;
  if (freeOutcomes.has(execution.outcome)) return isOfPeriod ? -1 : 0;
  return execution.outcome === 'billed' && !isOfPeriod && execution.billedAt >= periodStart ? 1 : 0;
}

function afterExecutions(
  before: Watchlist,
  rescans: Rescans,
  executions: readonly Execution[],
  isOpen: boolean,
  now: Date,
): Rescans {
  // Only a pause for the budget depends on its units.
  const isPaused = rescans.paused !== null && rescans.paused !== 'budget_exhausted';
  if (rescans.intervalDays === null || isPaused) return rescans;
  const refused = executions.find((execution) => execution.outcome === 'refused');
  if (refused && !rescans.paused) return pausedUntil(rescans, 'allowance_exhausted', refused.until);
  if (leftOf(rescans) === 0) {
    return rescans.paused || isOpen ? rescans : pausedUntil(rescans, 'budget_exhausted', endOfPeriod(now));
  }
  const isFreed = leftOf(before.rescans) === 0;
  return isFreed ? scheduled(before, { ...before, rescans: { ...rescans, nextAt: null } }, now) : rescans;
}
