import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';

export interface EveryOptions {
  name: string;
  intervalMs: number;
  clock: Clock;
  logger: Logger;
  work(signal: AbortSignal): Promise<unknown>;
}

/**
 * Runs `work` again and again, one run after the other, about `intervalMs` apart (jittered, so that instances do not march
 * in step). A failed run is logged and the next one comes all the same. Stopping waits for the run in hand.
 */
export function every(options: EveryOptions): { stop(): Promise<void> } {
  const { name, intervalMs, clock, logger, work } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    while (!signal.aborted) {
      await clock.sleep(intervalMs * (0.9 + 0.2 * Math.random()), signal).catch(() => {});
      if (signal.aborted) return;
      try {
        await work(signal);
      } catch (error) {
        logger.error({ err: error, timer: name }, 'a timed run failed; the next one tries again');
      }
    }
  };
  const running = loop();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}
