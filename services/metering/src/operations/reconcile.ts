import { createDeadline, type Deadline } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import type { PeriodOf } from '../domain/period.ts';
import type { Dependencies } from './dependencies.ts';
import { reconcilePeriods } from './reconcile-periods.ts';

export interface Repairs {
  compared: number;
  repaired: number;
}

export interface ReconcilerLimits {
  /** Changed periods per page. */
  maxPageSize: number;
  /** Time of one run for changed periods; half of the default interval between runs. */
  maxChangedMs: number;
  maxQuietPeriods: number;
  /** Time of one run for quiet periods; separate, so that neither list waits for the other. */
  maxQuietMs: number;
}

const defaultLimits: ReconcilerLimits = {
  maxPageSize: 2_000,
  maxChangedMs: 90_000,
  // At this rate 100,000 quiet periods take eight hours.
  maxQuietPeriods: 600,
  maxQuietMs: 30_000,
};
/** Longer than one transaction and the difference of clocks together. */
const lookBackMs = 2 * minuteMs;
const timeoutMs = 10_000;
/** A read of one period costs mostly the read itself. A transaction of so many takes some hundred ms. */
const maxComparedTogether = 50;

type Listed = PeriodOf & { id: string };

/**
 * Compares the projections (usage and daily counters, allowance taken) with their sources (ledger, open reservations), up to
 * {@link maxComparedTogether} periods in one transaction.
 *
 * - Difference -> repaired, counted, and logged as an error, because it shows a defect or a foreign write.
 * - Each run compares all periods that changed recently, and a few quiet ones. Both lists are read round after round.
 * - Order: by id, which does not change. By time of change, the busiest periods would always come last.
 * - A comparison fails -> its periods are compared one by one. A period whose comparison fails alone is logged.
 * - Bounds: `maxChangedMs` and `maxQuietMs` per run. The next run continues the round.
 */
export function createReconciler(deps: Dependencies, limits: ReconcilerLimits = defaultLimits) {
  const { clock } = deps;
  /** Start of the last complete round: every earlier change has been compared. */
  let comparedUntilMs = clock.now();
  /** The current round, and the last period that was compared in it. */
  let round = { startedMs: comparedUntilMs, after: '' };
  let quietAfter = '';

  const changedPeriods = async (): Promise<Listed[]> => {
    // A period that changes after its turn belongs to the next round.
    const page = { sinceMs: comparedUntilMs - lookBackMs, after: round.after, limit: limits.maxPageSize };
    const lists = [
      await deps.allowances.changedSince(page, timeoutMs),
      await deps.counters.changedSince(page, timeoutMs),
    ];
    // Each list may be cut off at `maxPageSize`, so only the first `maxPageSize` of the merged list are complete.
    return [...new Map(lists.flat().map((period) => [period.id, period])).values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limits.maxPageSize);
  };

  return {
    async tick(abort?: AbortSignal): Promise<Repairs> {
      const repairs: Repairs = { compared: 0, repaired: 0 };

      const compareOne = async (period: Listed) => {
        try {
          repairs.repaired += await reconcilePeriods(deps, [period]);
          repairs.compared += 1;
        } catch (error) {
          const { workspaceId, periodStartMs } = period;
          deps.logger.error({ err: error, workspaceId, periodStartMs }, 'a period was not compared with the ledger');
        }
      };

      /** Compares the periods in order; false when the time ended before the last one. */
      const compare = async (periods: readonly Listed[], deadline: Deadline, done: (id: string) => void) => {
        for (let start = 0; start < periods.length; start += maxComparedTogether) {
          if (abort?.aborted || deadline.expired) return false;
          const some = periods.slice(start, start + maxComparedTogether);
          try {
            repairs.repaired += await reconcilePeriods(deps, some);
            repairs.compared += some.length;
          } catch {
            for (const period of some) if (!abort?.aborted) await compareOne(period);
          }
          done((some.at(-1) as Listed).id);
        }
        return true;
      };

      const compareChanged = async () => {
        const deadline = createDeadline(limits.maxChangedMs, { clock });
        if (round.after === '') round.startedMs = clock.now();
        for (;;) {
          const page = await changedPeriods();
          const isComplete = await compare(page, deadline, (id) => {
            round.after = id;
          });
          if (!isComplete) return;
          if (page.length < limits.maxPageSize) break;
        }
        comparedUntilMs = round.startedMs;
        round = { startedMs: comparedUntilMs, after: '' };
      };

      const compareQuiet = async () => {
        const deadline = createDeadline(limits.maxQuietMs, { clock });
        const page = await deps.allowances.after(quietAfter, limits.maxQuietPeriods, timeoutMs);
        const isComplete = await compare(page, deadline, (id) => {
          quietAfter = id;
        });
        if (isComplete && page.length < limits.maxQuietPeriods) quietAfter = '';
      };

      try {
        await compareChanged();
        await compareQuiet();
      } finally {
        deps.metrics.reconciled.inc(repairs.compared);
        deps.metrics.reconcileBehind.set((clock.now() - comparedUntilMs) / 1_000);
      }
      return repairs;
    },
  };
}
