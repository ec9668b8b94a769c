import { type Environment, environments } from '@shopscope/environment';
import { deleteHiddenStores } from '../../operations/delete-hidden-stores.ts';
import type { Dependencies, EveryEnvironment } from '../../operations/dependencies.ts';
import { listsOf, watchlistsOf } from '../../operations/group-kinds.ts';
import { deleteExpiredJobs, failStandingJobs, measureJobs } from '../../operations/jobs/expire-jobs.ts';
import { reportFanOuts } from '../../operations/report-fan-outs.ts';

/** The most stores of a deleted group that one run deletes. The next run continues. */
const maxBatchSize = 1_000;

/**
 * Runs the steps that depend only on time, in every environment.
 *
 * - Concurrency: every step is idempotent. Any number of instances may therefore tick at the same time, without a leader.
 * - A step fails -> the failure is logged. The other steps run, and the next tick retries.
 */
export async function tick(every: EveryEnvironment): Promise<void> {
  const runs = { live: () => tickIn(every.live), test: () => tickIn(every.test) };
  for (const environment of environments) await runs[environment]();
}

async function tickIn<E extends Environment>(deps: Dependencies<E>): Promise<void> {
  const steps = {
    deleteListStores: () => deleteHiddenStores(deps, listsOf(deps), maxBatchSize),
    reportFanOuts: () => reportFanOuts(deps),
    deleteWatchedStores: () => deleteHiddenStores(deps, watchlistsOf(deps), maxBatchSize),
    failStandingJobs: () => failStandingJobs(deps),
    deleteExpiredJobs: () => deleteExpiredJobs(deps),
    measureJobs: () => measureJobs(deps),
  };
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run();
    } catch (error) {
      const { environment } = deps;
      deps.logger.error({ err: error, step, environment }, 'a step of the tick failed; the next tick tries again');
    }
  }
}
