import { type PeriodicLoop, startPeriodicLoop, withTimeout } from '@shopscope/async';
import type { Dependencies } from '../../app/wiring/dependencies.ts';

/** Shorter than a minute, so that every minute is measured. */
const intervalMs = 25_000;
const probeTimeoutMs = 5_000;

/**
 * Measures once a minute whether the parts of the service that users see work, and stores the result for the status page.
 *
 * - The dashboard counts as working in each minute that it records. While it does not run, nothing is measured.
 * - A part fails if it does not answer its probe within {@link probeTimeoutMs}.
 */
export function startStatusMeasurement({ probes, statusDays, clock, logger }: Dependencies): PeriodicLoop {
  return startPeriodicLoop({
    intervalMs,
    immediate: true,
    clock,
    async run() {
      const results = await Promise.all(
        Object.entries(probes).map(async ([part, probe]) => {
          const bounded = withTimeout(probe(), probeTimeoutMs, 'the probe took too long');
          return [part, await bounded.catch(() => false)] as const;
        }),
      );
      await statusDays.count(clock.now(), { ...Object.fromEntries(results), dashboard: true });
    },
    onError: (error) => logger.warn({ err: error }, 'the status of a minute was not recorded'),
  });
}
