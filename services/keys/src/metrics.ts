import type { Clock } from '@shopscope/clock';
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';
import type { PepperUse } from './operations/list-peppers.ts';

/** The query reads every key. It therefore runs only at a scrape, and at most once in this interval. */
const countIntervalMs = 60_000;

export function createMetrics(options: {
  registry: Registry;
  clock: Clock;
  logger: Logger;
  countByPepper(): Promise<readonly PepperUse[]>;
}) {
  const { registry, clock, logger, countByPepper } = options;
  const { counter, collectedGauge } = metricsOf(registry);
  let nextCountMs = Number.NEGATIVE_INFINITY;
  collectedGauge(
    'keys_usable',
    'Keys that are neither revoked nor expired, by the pepper they are stored under',
    async (gauge) => {
      if (clock.monotonicMs() < nextCountMs) return;
      nextCountMs = clock.monotonicMs() + countIntervalMs;
      try {
        const peppers = await countByPepper();
        gauge.reset();
        for (const { id, state, usableKeys } of peppers) gauge.set({ pepper: id, state }, usableKeys);
      } catch (error) {
        logger.warn({ err: error }, 'counting the keys by pepper failed; keys_usable keeps its last values');
      }
    },
    ['pepper', 'state'],
  );
  return {
    moved: counter(
      'keys_moved_to_current_pepper_total',
      'Keys that were stored under another pepper and are under the current one now',
    ),
  };
}
