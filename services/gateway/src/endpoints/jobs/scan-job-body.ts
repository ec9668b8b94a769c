import { contractUnitsOf } from '@shopscope/charging';
import { type Job, JobState, noUnits, ScanUnit, unitsOf } from '@shopscope/proto';
import { errorOf, type JobBody, timeOf, timeOrNull } from './job-body.ts';

/** The states of a job in the contract. A job whose request was not consumed yet is `queued` for callers. */
const states = new Map([
  [JobState.REQUESTED, 'queued'],
  [JobState.QUEUED, 'queued'],
  [JobState.RUNNING, 'running'],
  [JobState.SUCCEEDED, 'succeeded'],
  [JobState.FAILED, 'failed'],
  [JobState.CANCELED, 'canceled'],
] as const);
type ContractState = typeof states extends Map<unknown, infer State> ? State : never;

export const scanStatesOf = (state: ContractState): JobState[] =>
  [...states].filter(([, name]) => name === state).map(([proto]) => proto);

/** Returns the body of a scan job. */
export function scanBodyOf(job: Job): JobBody {
  const state = stateOf(job);
  const isDone = state === 'succeeded' || state === 'failed';
  return {
    id: job.id,
    type: job.type,
    state,
    domain: job.domain,
    progress: { total: 1, done: isDone ? 1 : 0, failed: state === 'failed' ? 1 : 0 },
    attempts: job.attempts,
    billed: contractUnitsOf(job.refunded ? noUnits : unitOf(job)),
    error: errorOf(job),
    created_at: timeOf(job.createdAtMs),
    started_at: timeOrNull(job.startedAtMs),
    finished_at: timeOrNull(job.finishedAtMs),
    expires_at: null,
  };
}

/** Returns the results of a scan job, by domain. A scan has one domain, and no result before its end. */
export function scanResultsOf(job: Job) {
  const state = stateOf(job);
  return state === 'succeeded' || state === 'failed' ? [{ domain: job.domain, state, error: errorOf(job) }] : [];
}

export const isLive = (job: Job): boolean => ['queued', 'running'].includes(stateOf(job));

function stateOf({ id, state }: Job): ContractState {
  const known = states.get(state as JobState.QUEUED);
  if (!known) throw new Error(`job ${id} has the unknown state ${state}`);
  return known;
}

const unitOf = ({ unit }: Job) =>
  unitsOf(unit === ScanUnit.REFRESH_REQUESTED ? { refreshRequested: 1 } : { lookupLive: 1 });
