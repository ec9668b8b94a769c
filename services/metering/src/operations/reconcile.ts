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
  /** The number of changed periods per page. */
  maxPageSize: number;
  /** The time of one run for changed periods. It is half of the default interval between runs. */
  maxChangedMs: number;
  maxQuietPeriods: number;
  /** The time of one run for quiet periods. It is separate, so that neither list waits for the other. */
  maxQuietMs: number;
}

const defaultLimits: ReconcilerLimits = {
  maxPageSize: 2_000,
  maxChangedMs: 90_000,
  // At this rate 100,000 quiet periods take eight hours.
  maxQuietPeriods: 600,
  maxQuietMs: 30_000,
};
/** This is longer than the duration of a transaction plus the difference of clocks. */
const lookBackMs = 2 * minuteMs;
const timeoutMs = 10_000;
/** Most of the cost of reading one period does not depend on its content. A transaction of this many periods takes some hundred ms. */
const maxComparedTogether = 50;

type Listed = PeriodOf & { id: string };

/**
 * Compares the projections (usage and daily counters, taken units) with their sources (ledger, open reservations), up to
 * {@link maxComparedTogether} periods in one transaction.
 *
 * - A projection differs -> it is repaired, counted, and logged as an error, because this shows a defect or a foreign write.
 * - Each run compares all periods that changed recently, and a few quiet periods. Both lists are read round after round.
 * - Order: by id, which does not change. In the order of their changes, the busiest periods would always come last.
 * - The comparison of several periods fails -> they are compared one by one. A period whose comparison fails alone is logged.
 * - Bounds: `maxChangedMs` and `maxQuietMs` per run. The next run continues the round.
 */
export function createReconciler(deps: Dependencies, limits: ReconcilerLimits = defaultLimits) {
  const { clock } = deps;
  /** The start of the last complete round: every earlier change has been compared. */
  let comparedUntilMs = clock.now();
  /** The current round, and the last period that was compared in it. */
  let round = { startedMs: comparedUntilMs, after: '' };
  let quietAfter = '';

  const changedPeriods = async (): Promise<Listed[]> => {
    // A period that changes after its comparison belongs to the next round.
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

      /** Compares the periods in order. Resolves to false if the time ended, or the run was aborted, before the last period. */
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
