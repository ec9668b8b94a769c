import type { PeriodOf } from '../domain/period.ts';
import type { Dependencies } from './dependencies.ts';
import { reconcilePeriod } from './reconcile-period.ts';

/**
 * Compares the projections (usage counters, allowance taken) with what they are projections of (the ledger, and the
 * reservations that are open), each workspace's period in a transaction of its own: every period that changed lately,
 * and of the quiet ones a few at a time, round and round. A difference is repaired, counted, and logged as an error: it
 * means that something is wrong.
 */
export interface Reconciler {
  tick(signal?: AbortSignal): Promise<Repairs>;
}

export interface Repairs {
  compared: number;
  repaired: number;
}

/** Longer than a few missed runs. */
const lookBackMs = 15 * 60 * 1000;
const periodsMax = 2_000;
/** A hundred thousand quiet periods are seen every eight hours. */
const quietMax = 200;
const timeoutMs = 10_000;

export function createReconciler(deps: Dependencies): Reconciler {
  let seenUpTo = '';

  const quietOnes = async (): Promise<PeriodOf[]> => {
    const next = await deps.allowances.after(seenUpTo, quietMax, timeoutMs);
    seenUpTo = next.length < quietMax ? '' : (next.at(-1)?.id ?? '');
    return next;
  };

  return {
    async tick(signal) {
      const sinceMs = deps.clock.now() - lookBackMs;
      const chosen = [
        ...(await deps.allowances.touchedSince(sinceMs, periodsMax, timeoutMs)),
        ...(await deps.counters.touchedSince(sinceMs, periodsMax, timeoutMs)),
        ...(await quietOnes()),
      ];
      const periods = new Map(chosen.map((period) => [`${period.workspaceId}/${period.periodStartMs}`, period]));
      const repairs = { compared: 0, repaired: 0 };
      for (const { workspaceId, periodStartMs } of periods.values()) {
        if (signal?.aborted) break;
        try {
          repairs.repaired += await reconcilePeriod(deps, workspaceId, periodStartMs);
          repairs.compared += 1;
        } catch (error) {
          deps.logger.error({ err: error, workspaceId, periodStartMs }, 'a period was not compared with the ledger');
        }
      }
      deps.metrics.reconciled.inc(repairs.compared);
      return repairs;
    },
  };
}
