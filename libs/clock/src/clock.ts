import { setTimeout as delay } from 'node:timers/promises';

/**
 * Time as a dependency. Wall time is for instants that people and other services see. It may jump. Monotonic time is for durations. It
 * never goes back.
 */
export interface Clock {
  /** Wall time in ms since 1970, UTC. */
  now(): number;
  /** Monotonic time in ms from an arbitrary origin. */
  monotonicMs(): number;
  /** Resolves after `ms`. Rejects with the reason of `abort` when it aborts. */
  sleep(ms: number, abort?: AbortSignal): Promise<void>;
  /** Calls `callback` once after `ms`. The returned function cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, abort) => {
    await delay(ms, undefined, abort ? { signal: abort } : {});
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
