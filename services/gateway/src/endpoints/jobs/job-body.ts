import { contractUnitsOf } from '@shopscope/charging';
import { type Job, JobState, noUnits, ScanUnit, unitsOf } from '@shopscope/proto';

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

export const protoStatesOf = (state: ContractState): JobState[] =>
  [...states].filter(([, name]) => name === state).map(([proto]) => proto);

export type JobBody = ReturnType<typeof jobBodyOf>;

/** Returns the body of a job. */
export function jobBodyOf(job: Job) {
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
    started_at: timeOf(job.startedAtMs),
    finished_at: timeOf(job.finishedAtMs),
  };
}

/** Returns the results of a job, by domain. A scan has one domain, and no result before its end. */
export function jobResultsOf(job: Job) {
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

const errorOf = ({ errorCode, errorMessage }: Job) =>
  errorCode === '' ? null : { code: errorCode, message: errorMessage };

const timeOf = (atMs: number | undefined) => (atMs === undefined ? null : new Date(atMs).toISOString());
