/**
 * Purpose: runs work with the same key one after another, in the order of the calls.
 * Concurrency: work with different keys runs at the same time. The mutex covers this process only.
 * Failure: the work rejects -> its caller receives the error, and the next work runs.
 * Bounds: none of its own; the work checks the remaining time of its call when it starts.
 */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const run = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, run);
    try {
      return await run;
    } finally {
      if (last.get(key) === run) last.delete(key);
    }
  };
}
