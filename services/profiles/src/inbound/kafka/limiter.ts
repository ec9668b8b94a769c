/** Runs at most `atOnce` pieces of work at a time, over all its callers; the others wait their turn in order. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

export function createLimiter(atOnce: number): Limiter {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // A place goes straight to the next in line, so nobody overtakes.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
