import { startPeriodicLoop } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Dependencies } from '../../operations/dependencies.ts';
import { runNextStep } from '../../operations/jobs/run-next-step.ts';

/** The steps that an instance executes at the same time in one environment. */
const workers = 2;

/**
 * Executes the steps of jobs, one after another in each of {@link workers} loops. The pause bounds the load on other services, so that
 * requests that callers wait for stay fast. Without work, a loop looks for it every `idleMs`.
 */
export function startJobWorkers<E extends Environment>(
  deps: Dependencies<E>,
  { pauseMs, idleMs }: { pauseMs: number; idleMs: number },
) {
  const loops = Array.from({ length: workers }, () => {
    let worked = false;
    return startPeriodicLoop({
      intervalMs: idleMs,
      clock: deps.clock,
      pauseMs: () => (worked ? pauseMs : idleMs),
      async run() {
        worked = false;
        worked = await runNextStep(deps);
      },
      onError: (error) =>
        deps.logger.error({ err: error, environment: deps.environment }, 'a step of a job could not be taken'),
    });
  });
  return { stop: () => Promise.all(loops.map((loop) => loop.stop())) };
}
