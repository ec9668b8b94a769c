import type { Live } from './job-system.ts';

export type Moment = 'before' | 'after';

/** An instance that is killed before or after its call number `n` of a database or of another service. */
export function killedAt(deps: Live, n: number, moment: Moment) {
  let calls = 0;
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    throw new Error('killed');
  };
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          if (isKilled) kill();
          calls += 1;
          const own = calls;
          if (own === n && moment === 'before') kill();
          const result = await value.apply(target, args);
          if (isKilled || (own === n && moment === 'after')) kill();
          return result;
        };
      },
    });
  const { bulkJobs, jobSteps, jobResults, jobParts, events, sequences, payers, charging, storeSearch, transact } = deps;
  const guarded: Live = {
    ...deps,
    bulkJobs: guard(bulkJobs),
    jobSteps: guard(jobSteps),
    jobResults: guard(jobResults),
    jobParts: guard(jobParts),
    events: guard(events),
    sequences: guard(sequences),
    payers: guard(payers),
    storeSearch: guard(storeSearch),
    transact: guard({ transact }).transact,
    charging: {
      ...charging,
      profiles: guard(charging.profiles),
      scheduler: guard(charging.scheduler),
      metering: guard(charging.metering),
      events: guard(charging.events),
    },
  };
  return { deps: guarded, wasKilled: () => isKilled };
}
