import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Dependencies } from '../../operations/dependencies.ts';
import { runRescans } from '../../operations/rescans/run-rescans.ts';

/** Runs the rescans of one environment that are due. Each environment has a loop of its own, so that neither delays the other one. */
export const startRescans = <E extends Environment>(deps: Dependencies<E>, intervalMs: number): PeriodicLoop =>
  startPeriodicLoop({
    intervalMs,
    immediate: true,
    run: (abort) => runRescans(deps, abort),
    onError: (error) =>
      deps.logger.error(
        { err: error, environment: deps.environment },
        'a run of rescans failed; the next one tries again',
      ),
    clock: deps.clock,
  });
