import { runEach } from '@shopscope/async';
import { type Environment, environments } from '@shopscope/environment';
import { deleteWorkspaces } from '@shopscope/workspace-deletion';
import { endClosedDeliveries } from '../../operations/deliveries/end-deliveries.ts';
import type { Dependencies, EveryEnvironment } from '../../operations/dependencies.ts';
import { withdrawDeliveries } from '../../operations/replays/cancel-replay.ts';
import { failStandingReplays } from '../../operations/replays/end-replay.ts';
import { resealEndpoints } from '../../operations/reseal-endpoints.ts';
import { workspaceDataOf } from '../../operations/workspace-data.ts';

/** What a step deletes in one run. The next run continues. */
const documentBounds = { maxBatchSize: 1_000, maxPerRun: 20_000 };
const timeoutMs = 10_000;

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
  const { environment, deletedWorkspaces, clock, logger, metrics } = deps;
  const onOldest = (at: Date | undefined) => metrics.oldestDeletion(environment, at);
  const deletion = { environment, deletedWorkspaces, clock, logger, onOldest };
  const steps = {
    deleteWorkspaces: () => deleteWorkspaces(deletion, workspaceDataOf(deps), documentBounds),
    endClosedDeliveries: () => endClosedDeliveries(deps),
    failStandingReplays: () => failStandingReplays(deps),
    withdrawDeliveries: () => withdrawDeliveries(deps),
    resealEndpoints: () => resealEndpoints(deps),
    measureQueues: () => measureQueues(deps),
  };
  await runEach(steps, (step, error) =>
    logger.error({ err: error, step, environment }, 'a step of the tick failed; the next tick tries again'),
  );
}

async function measureQueues<E extends Environment>({ queues, clock, metrics, environment }: Dependencies<E>) {
  const nowMs = clock.now();
  const oldest = await queues.oldestReady(new Date(nowMs), timeoutMs);
  metrics.oldestReady(environment, oldest ? Math.max(0, nowMs - oldest.getTime()) / 1_000 : 0);
}
