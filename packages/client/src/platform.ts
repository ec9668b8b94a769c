/** The time and the random numbers of the platform. Tests replace them. */
export interface Platform {
  /** The milliseconds of a clock that never jumps. */
  nowMs(): number;
  /** Rejects with the reason of the signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Returns a number that is at least 0 and less than 1. */
  random(): number;
}

export const platform: Platform = {
  nowMs: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};
