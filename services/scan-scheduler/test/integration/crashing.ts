import type { Dependencies } from '../../src/operations/dependencies.ts';

/** Thrown at the point of the crash: nothing after it runs in that instance. */
export class Crashed extends Error {}

/**
 * An instance that crashes at its nth call of the database, counted over all its work. `before`: the call is not sent. `after`: the call
 * takes place, and its response is not read. A commit is a call too.
 */
export function crashingAt(deps: Dependencies, nth: number, when: 'before' | 'after'): Dependencies {
  let steps = 0;
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    const step = ++steps;
    if (step > nth || (step === nth && when === 'before')) throw new Crashed();
    const result = await call();
    if (step === nth) throw new Crashed();
    return result;
  };
  const crashing = <Store extends object>(store: Store): Store =>
    Object.fromEntries(
      Object.entries(store).map(([name, method]) => [name, (...args: unknown[]) => counted(() => method(...args))]),
    ) as Store;
  return {
    ...deps,
    claims: crashing(deps.claims),
    jobs: crashing(deps.jobs),
    jobEnds: crashing(deps.jobEnds),
    scans: crashing(deps.scans),
    leases: crashing(deps.leases),
    targets: crashing(deps.targets),
    queueStarts: crashing(deps.queueStarts),
    appendJobEnds: (...args) => counted(() => deps.appendJobEnds(...args)),
    appendRefund: (...args) => counted(() => deps.appendRefund(...args)),
    transact: async (work, options) => {
      const result = await deps.transact(work, options);
      return counted(async () => result);
    },
  };
}
