import { startPeriodicLoop } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Dependencies } from '../../operations/dependencies.ts';
import { runNextStep } from '../../operations/jobs/run-next-step.ts';

/**
 * Executes the steps of jobs, one after another. The pause after a step is `pauseMs`, and at least as long as the step took. On a busy
 * system the pauses are therefore longer, and requests that callers wait for stay fast. Without work, it looks for work every `idleMs`.
 */
export function startJobWorker<E extends Environment>(
  deps: Dependencies<E>,
  { pauseMs, idleMs }: { pauseMs: number; idleMs: number },
) {
  let nextPauseMs = idleMs;
  return startPeriodicLoop({
    intervalMs: idleMs,
    clock: deps.clock,
    pauseMs: () => nextPauseMs,
    async run() {
      nextPauseMs = idleMs;
      const startMs = deps.clock.monotonicMs();
      if (await runNextStep(deps)) nextPauseMs = Math.max(pauseMs, deps.clock.monotonicMs() - startMs);
    },
    onError: (error) =>
      deps.logger.error({ err: error, environment: deps.environment }, 'a step of a job could not be taken'),
  });
}
