import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Dependencies } from '../../operations/dependencies.ts';
import { runFanOut } from '../../operations/run-fan-out.ts';

/** How often an instance looks for fan-outs of other instances. Its own ones wake it. */
const pollMs = 1_000;

/**
 * Runs queued fan-outs, one page after another.
 *
 * - Concurrency: any number of instances. Each page is claimed by a lease.
 * - A page fails -> the failure is logged, and the loop continues after {@link pollMs}.
 */
export function startFanOuts<E extends Environment>(deps: Dependencies<E>): PeriodicLoop {
  let hasRun = false;
  return startPeriodicLoop({
    intervalMs: pollMs,
    immediate: true,
    pauseMs: () => (hasRun ? 0 : pollMs),
    async run() {
      hasRun = false;
      hasRun = await runFanOut(deps);
    },
    onError: (error) => deps.logger.error({ err: error }, 'a page of a fan-out failed; it is repeated'),
    clock: deps.clock,
  });
}
