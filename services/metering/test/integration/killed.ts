import type { Dependencies } from '../../src/operations/dependencies.ts';

/** Thrown where a process ends: nothing after it runs in that instance. */
export class Killed extends Error {}

/**
 * An instance that dies at its nth step through the database, counted over everything it does: before a call is sent, or
 * after it took place and before its answer is read. A commit is a step too, after which its answer is not read.
 */
export function dyingAt(deps: Dependencies, nth: number, when: 'before' | 'after'): Dependencies {
  let steps = 0;
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    const step = ++steps;
    if (step > nth || (step === nth && when === 'before')) throw new Killed();
    const result = await call();
    if (step === nth) throw new Killed();
    return result;
  };
  const dyingStore = <Store extends object>(store: Store): Store =>
    Object.fromEntries(
      Object.entries(store).map(([name, method]) => [name, (...args: unknown[]) => counted(() => method(...args))]),
    ) as Store;
  return {
    ...deps,
    charges: dyingStore(deps.charges),
    ledger: dyingStore(deps.ledger),
    counters: dyingStore(deps.counters),
    allowances: dyingStore(deps.allowances),
    transact: async (work, options) => {
      const result = await deps.transact(work, options);
      return counted(async () => result);
    },
  };
}
