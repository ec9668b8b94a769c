import { type Clock, systemClock } from '@shopscope/clock';

/**
 * Runs `run` again and again, one run after the other.
 *
 * - Interval: `intervalMs` ± 10 % between the end of a run and the start of the next, so that instances that start
 *   together spread out.
 * - `wake` -> the next run comes without a pause. During a run: one more run follows it.
 * - Failure of a run -> `onError`; the next run comes after the usual interval.
 * - Stop -> aborts the pause at once, aborts the signal of the current run, waits for this run.
 */
export interface PeriodicLoop {
  /** Starts the next run at once, because there may be work. */
  wake(): void;
  stop(): Promise<void>;
}

export interface PeriodicLoopOptions {
  intervalMs: number;
  /** Whether the first run starts at once; by default it starts after the first interval. */
  immediate?: boolean;
  run(abort: AbortSignal): Promise<unknown> | unknown;
  /** The exact pause after a run, in place of the interval. Zero or less: none. */
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
