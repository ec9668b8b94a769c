import type { Clock } from '@shopscope/clock';
import { Counter, Gauge, type Logger, type Registry } from '@shopscope/telemetry';
import type { PepperUse } from './operations/list-peppers.ts';

export interface PepperMetrics {
  moved(): void;
}

/** The query reads every key. It therefore runs only at a scrape, and at most once in this interval. */
const countIntervalMs = 60_000;

export function pepperMetrics(options: {
  registry: Registry;
  clock: Clock;
  logger: Logger;
  count(): Promise<readonly PepperUse[]>;
}): PepperMetrics {
  const { registry, clock, logger, count } = options;
  let nextCountMs = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: 'keys_usable',
    help: 'Keys that are neither revoked nor expired, by the pepper they are stored under',
    labelNames: ['pepper', 'state'],
    registers: [registry],
    async collect() {
      if (clock.monotonicMs() < nextCountMs) return;
      nextCountMs = clock.monotonicMs() + countIntervalMs;
      try {
        const peppers = await count();
        this.reset();
        for (const { id, state, usableKeys } of peppers) this.set({ pepper: id, state }, usableKeys);
      } catch (error) {
        logger.warn({ err: error }, 'counting the keys by pepper failed; keys_usable keeps its last values');
      }
    },
  });
  const moved = new Counter({
    name: 'keys_moved_to_current_pepper_total',
    help: 'Keys that were stored under another pepper and are under the current one now',
    registers: [registry],
  });
  return { moved: () => moved.inc() };
}
