import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Dependencies } from '../../operations/dependencies.ts';
import { runReplayStep } from '../../operations/replays/run-replay-step.ts';

/** Executes the steps of replays, one after another. The pause after a step is at least as long as the step took, so live deliveries stay fast. */
export function startReplayLoop<E extends Environment>(
  deps: Dependencies<E>,
  { idleMs }: { idleMs: number },
): PeriodicLoop {
  let nextPauseMs = idleMs;
  return startPeriodicLoop({
    intervalMs: idleMs,
    clock: deps.clock,
    pauseMs: () => nextPauseMs,
    async run() {
      nextPauseMs = idleMs;
      const startMs = deps.clock.monotonicMs();
      if (await runReplayStep(deps)) nextPauseMs = Math.min(idleMs, deps.clock.monotonicMs() - startMs);
    },
    onError: (error) =>
      deps.logger.error({ err: error, environment: deps.environment }, 'a step of a replay could not be taken'),
  });
}
