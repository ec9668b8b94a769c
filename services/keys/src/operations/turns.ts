/**
 * Runs the work of one name one after another; work of different names runs at the same time.
 *
 * Concurrency: within this process only. Transactions of several processes conflict in the database.
 * Failure: work that rejects -> its caller gets the error, and the next work runs.
 * Bounds: the calls that wait; each checks at its turn whether its caller still waits.
 */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}
