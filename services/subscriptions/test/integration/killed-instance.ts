import { type CrashMoment, killedAtCall } from '@shopscope/testing';
import type { Live } from './job-system.ts';

/** An instance that is killed before or after its call number `n` of a database or of another service. */
export function killedAt(deps: Live, n: number, moment: CrashMoment) {
  const { guard, wasKilled } = killedAtCall(n, moment);
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
  return { deps: guarded, wasKilled };
}
