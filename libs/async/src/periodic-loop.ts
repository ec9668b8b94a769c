import { type Clock, systemClock } from '@shopscope/clock';

/**
 * Runs `run` again and again, one run after the other.
 *
 * - Interval: `intervalMs` ± 10 % between the end of a run and the start of the next, so that instances that start
 *   together spread out.
 * - Failure of a run -> `onError`; the next run comes after the usual interval.
 * - Stop -> aborts the pause at once, aborts the signal of the current run, waits for this run.
 */
export interface PeriodicLoop {
  stop(): Promise<void>;
}

export interface PeriodicLoopOptions {
  intervalMs: number;
  /** Whether the first run starts at once; by default it starts after the first interval. */
  immediate?: boolean;
  run(abort: AbortSignal): Promise<unknown> | unknown;
  onError(error: unknown): void;
  clock?: Pick<Clock, 'sleep'>;
}

export function startPeriodicLoop(options: PeriodicLoopOptions): PeriodicLoop {
  const { intervalMs, immediate = false, run, onError, clock = systemClock } = options;
  const stopping = new AbortController();
  const { signal: abort } = stopping;

  const pause = () => clock.sleep(intervalMs * (0.9 + 0.2 * Math.random()), abort).catch(() => {});
  const loop = async () => {
    if (!immediate) await pause();
    while (!abort.aborted) {
      try {
        await run(abort);
      } catch (error) {
        if (!abort.aborted) onError(error);
      }
      await pause();
    }
  };
  const running = loop();

  return {
    stop() {
      stopping.abort(new Error('the loop is stopping'));
      return running;
    },
  };
}
