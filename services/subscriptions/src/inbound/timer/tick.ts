import { runEach } from '@shopscope/async';
import { type Environment, environments } from '@shopscope/environment';
import { deleteHiddenStores } from '../../operations/delete-hidden-stores.ts';
import { deleteWorkspaces } from '../../operations/delete-workspaces.ts';
import type { Dependencies, EveryEnvironment } from '../../operations/dependencies.ts';
import { listsOf, watchlistsOf } from '../../operations/group-kinds.ts';
import { deleteExpiredJobs, failStandingJobs, measureJobs } from '../../operations/jobs/expire-jobs.ts';
import { reportFanOuts } from '../../operations/report-fan-outs.ts';

/** What a step deletes in one run. The next run continues. */
const documentBounds = { maxBatchSize: 1_000, maxPerRun: 20_000 };
const storeBounds = { maxBatchSize: 1_000, maxPerRun: 10_000 };

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
    deleteWorkspaces: () => deleteWorkspaces(deps, documentBounds),
    deleteListStores: () => deleteHiddenStores(deps, listsOf(deps), storeBounds),
    deleteWatchedStores: () => deleteHiddenStores(deps, watchlistsOf(deps), storeBounds),
    // Only live stores are fanned out.
    ...(deps.environment === 'live' && { reportFanOuts: () => reportFanOuts(deps) }),
    failStandingJobs: () => failStandingJobs(deps),
    deleteExpiredJobs: () => deleteExpiredJobs(deps),
    measureJobs: () => measureJobs(deps),
  };
  await runEach(steps, (step, error) =>
    deps.logger.error(
      { err: error, step, environment: deps.environment },
      'a step of the tick failed; the next tick tries again',
    ),
  );
}
