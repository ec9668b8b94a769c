import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Dispatcher } from '../../operations/deliveries/dispatcher.ts';
import type { Dependencies } from '../../operations/dependencies.ts';

/** How often an instance looks for deliveries that others have made, or that are due by time. Its own ones wake it. */
const pollMs = 500;
/** The same while attempts are being made. Each end of an attempt may let another one of its endpoint begin. */
const busyPollMs = 20;

/** Begins due attempts. A run fails -> the failure is logged, and the loop continues after {@link pollMs}. */
export function startDispatchLoop<E extends Environment>(
  { clock, logger, environment }: Dependencies<E>,
  dispatcher: Dispatcher,
): PeriodicLoop {
  let hasBegun = false;
  return startPeriodicLoop({
    intervalMs: pollMs,
    immediate: true,
    pauseMs: () => (hasBegun || dispatcher.inFlight > 0 ? busyPollMs : pollMs),
    async run() {
      hasBegun = false;
      hasBegun = await dispatcher.run();
    },
    onError: (error) => logger.error({ err: error, environment }, 'due deliveries could not be read; they wait'),
    clock,
  });
}
