import type { Clock } from '@shopscope/clock';
import { Counter, Gauge, type Logger, type Registry } from '@shopscope/telemetry';
import type { PepperUse } from './operations/list-peppers.ts';

export interface PepperMetrics {
  moved(): void;
}

/** Counting reads every key, so it happens once in this time at most, and only when somebody scrapes. */
const countEveryMs = 60_000;

export function pepperMetrics(options: {
  registry: Registry;
  clock: Clock;
  logger: Logger;
  count(): Promise<readonly PepperUse[]>;
}): PepperMetrics {
  const { registry, clock, logger, count } = options;
  let nextMs = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: 'keys_usable',
    help: 'Keys that are neither revoked nor expired, by the pepper they are stored under',
    labelNames: ['pepper', 'state'],
    registers: [registry],
    async collect() {
      if (clock.monotonicMs() < nextMs) return;
      nextMs = clock.monotonicMs() + countEveryMs;
      try {
        const peppers = await count();
        this.reset();
        for (const { id, state, usableKeys } of peppers) this.set({ pepper: id, state }, usableKeys);
      } catch (error) {
        logger.warn({ err: error }, 'keys could not be counted by pepper; keys_usable stays as it was');
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
