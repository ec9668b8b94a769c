import { type Clock, systemClock } from '@shopscope/clock';

/**
 * Runs `run` repeatedly, one run after the other.
 *
 * - Interval: the time between the end of a run and the start of the next is `intervalMs` ± 10 %. Instances that start together therefore
 *   spread out.
 * - `wake` -> the next run starts without a pause. During a run, `wake` causes one more run after it.
 * - A run fails -> `onError`. The next run starts after the usual interval.
 * - `stop` -> ends the pause at once, aborts the signal of the current run and waits for this run.
 */
export interface PeriodicLoop {
  /** Starts the next run at once. Call it when there may be work. */
  wake(): void;
  stop(): Promise<void>;
}

export interface PeriodicLoopOptions {
  intervalMs: number;
  /** Whether the first run starts at once. By default it starts after the first interval. */
  immediate?: boolean;
  run(abort: AbortSignal): Promise<unknown> | unknown;
  /** Returns the exact pause after a run, in place of the interval. Zero or less means no pause. */
  pauseMs?(): number;
  onError(error: unknown): void;
  clock?: Pick<Clock, 'sleep'>;
}

export function startPeriodicLoop(options: PeriodicLoopOptions): PeriodicLoop {
  const { intervalMs, immediate = false, run, pauseMs, onError, clock = systemClock } = options;
  const stopping = new AbortController();
  const { signal: abort } = stopping;

  let isWoken = false;
  let wakeUp = new AbortController();

  const wake = () => {
    isWoken = true;
    wakeUp.abort();
  };
  const pause = async () => {
    const ms = pauseMs ? pauseMs() : intervalMs * (0.9 + 0.2 * Math.random());
    if (isWoken || ms <= 0 || abort.aborted) return;
    wakeUp = new AbortController();
    await clock.sleep(ms, wakeUp.signal).catch(() => {});
  };
  const loop = async () => {
    if (!immediate) await pause();
    while (!abort.aborted) {
      isWoken = false;
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
    wake,
    stop() {
      stopping.abort(new Error('the loop is stopping'));
      wake();
      return running;
    },
  };
}
