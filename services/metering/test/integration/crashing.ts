import type { Dependencies } from '../../src/operations/dependencies.ts';

/** Thrown at the point of the crash: nothing after it runs in that instance. */
export class Crashed extends Error {}

/** `within`: only the first half of a call for several documents takes place. Other calls are not counted. */
export type CrashPoint = 'before' | 'within' | 'after';

export type CrashingDependencies = Dependencies & {
  /** An operation may handle {@link Crashed} as any other error of the database, so the error alone does not show it. */
  hasCrashed(): boolean;
};

/**
 * An instance that crashes at its nth call of the database, counted over all its work. `before`: the call is not sent.
 * `after`: the call takes place, and its response is not read. A commit is a call too.
 */
export function crashingAt(deps: Dependencies, nth: number, when: CrashPoint): CrashingDependencies {
  let steps = 0;
  const counted = async <T>(call: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> => {
    if (when === 'within' && !half && steps < nth) return call();
    const step = ++steps;
    if (step > nth) throw new Crashed();
    if (step === nth && when === 'within') await half?.();
    if (step === nth && when !== 'after') throw new Crashed();
    const result = await call();
    if (step === nth) throw new Crashed();
    return result;
  };
  const crashingStore = <Store extends object>(store: Store): Store =>
    Object.fromEntries(
      Object.entries(store).map(([name, method]) => [
        name,
        (first: unknown, ...rest: unknown[]) =>
          counted(
            () => method(first, ...rest),
            Array.isArray(first) && first.length > 1
              ? () => method(first.slice(0, Math.ceil(first.length / 2)), ...rest)
              : undefined,
          ),
      ]),
    ) as Store;
  return {
    ...deps,
    charges: crashingStore(deps.charges),
    ledger: crashingStore(deps.ledger),
    counters: crashingStore(deps.counters),
    allowances: crashingStore(deps.allowances),
    leases: crashingStore(deps.leases),
    leaseCounts: crashingStore(deps.leaseCounts),
    refunds: crashingStore(deps.refunds),
    appendThresholds: (...args) => counted(() => deps.appendThresholds(...args)),
    killAbandonedTransactions: () => counted(() => deps.killAbandonedTransactions()),
    transact: async (work, options) => {
      const result = await deps.transact(work, options);
      return counted(async () => result);
    },
    hasCrashed: () => steps >= nth,
  };
}
