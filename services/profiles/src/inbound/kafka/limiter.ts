/** Runs at most `maxConcurrent` functions at a time, for all callers together. Further calls wait in order. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

export function createLimiter(maxConcurrent: number): Limiter {
  const waiting: (() => void)[] = [];
  let free = maxConcurrent;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot goes directly to the next waiting call, so a new call cannot overtake it.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
