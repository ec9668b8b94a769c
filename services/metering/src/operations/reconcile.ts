import { createDeadline, type Deadline } from '@shopscope/async';
import type { PeriodOf } from '../domain/period.ts';
import type { Dependencies } from './dependencies.ts';
import { reconcilePeriod } from './reconcile-period.ts';

/**
 * Compares the projections (usage counters, allowance taken) with what they are projections of (the ledger, and the
 * reservations that are open), each workspace's period in a transaction of its own: every period that changed lately,
 * and of the quiet ones a few at a time, both round and round. A difference is repaired, counted, and logged as an error:
 * it means that something is wrong.
 *
 * A round goes through the periods in the order of their ids, which stays as it is while they change. In the order of
 * their changes the busiest would come last for ever, because they change again before their turn. A run that has no more
 * time leaves the rest of the round to the next one.
 */
export interface Reconciler {
  tick(abort?: AbortSignal): Promise<Repairs>;
}

export interface Repairs {
  compared: number;
  repaired: number;
}

export interface ReconcilerLimits {
  /** Changed periods that are read at once. */
  pagePeriodsMax: number;
  /** What one run may spend on changed periods; half of what lies between two runs. */
  changedMs: number;
  quietPeriodsMax: number;
  /** What one run may spend on quiet ones, of its own so that neither kind waits for the other. */
  quietMs: number;
}

const defaultLimits: ReconcilerLimits = {
  pagePeriodsMax: 2_000,
  changedMs: 30_000,
  // A hundred thousand quiet periods are seen every eight hours.
  quietPeriodsMax: 200,
  quietMs: 10_000,
};
/** Longer than a few missed runs, a transaction, and what clocks differ by. */
const lookBackMs = 15 * 60 * 1000;
const timeoutMs = 10_000;

type Listed = PeriodOf & { id: string };

export function createReconciler(deps: Dependencies, limits: ReconcilerLimits = defaultLimits): Reconciler {
  const { clock } = deps;
  /** When the last whole round began: what changed earlier has been compared. */
  let settledMs = clock.now();
  /** The round in hand, and the last period that had its turn in it. */
  let round = { startedMs: settledMs, after: '' };
  let quietAfter = '';

  const changedOnes = async (): Promise<Listed[]> => {
    // What changes behind the round in hand is the next round's, however long this one takes.
    const want = { sinceMs: settledMs - lookBackMs, after: round.after, limit: limits.pagePeriodsMax };
    const lists = [
      await deps.allowances.touchedSince(want, timeoutMs),
      await deps.counters.touchedSince(want, timeoutMs),
    ];
    // Beyond as many as each list may have, one of them may be incomplete.
    return [...new Map(lists.flat().map((period) => [period.id, period])).values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limits.pagePeriodsMax);
  };

  return {
    async tick(abort) {
      const repairs: Repairs = { compared: 0, repaired: 0 };

      /** Compares one after the other; false when the time was over before the last one. */
      const compare = async (periods: readonly Listed[], deadline: Deadline, done: (id: string) => void) => {
        for (const { id, workspaceId, periodStartMs } of periods) {
          if (abort?.aborted || deadline.expired) return false;
          try {
            repairs.repaired += await reconcilePeriod(deps, workspaceId, periodStartMs);
            repairs.compared += 1;
          } catch (error) {
            deps.logger.error({ err: error, workspaceId, periodStartMs }, 'a period was not compared with the ledger');
          }
          done(id);
        }
        return true;
      };

      const compareChanged = async () => {
        const deadline = createDeadline(limits.changedMs, { clock });
        if (round.after === '') round.startedMs = clock.now();
        for (;;) {
          const page = await changedOnes();
          const whole = await compare(page, deadline, (id) => {
            round.after = id;
          });
          if (!whole) return;
          if (page.length < limits.pagePeriodsMax) break;
        }
        settledMs = round.startedMs;
        round = { startedMs: settledMs, after: '' };
      };

      const compareQuiet = async () => {
        const deadline = createDeadline(limits.quietMs, { clock });
        const page = await deps.allowances.after(quietAfter, limits.quietPeriodsMax, timeoutMs);
        const whole = await compare(page, deadline, (id) => {
          quietAfter = id;
        });
        if (whole && page.length < limits.quietPeriodsMax) quietAfter = '';
      };

      try {
        await compareChanged();
        await compareQuiet();
      } finally {
        deps.metrics.reconciled.inc(repairs.compared);
        deps.metrics.reconcileBehind.set((clock.now() - settledMs) / 1_000);
      }
      return repairs;
    },
  };
}
