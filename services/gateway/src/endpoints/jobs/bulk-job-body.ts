import { contractUnitsOf } from '@shopscope/charging';
import { type BulkJob, BulkJobState, BulkJobType } from '@shopscope/proto';
import { errorOf, type JobBody, timeOf, timeOrNull } from './job-body.ts';

const states = new Map([
  [BulkJobState.QUEUED, 'queued'],
  [BulkJobState.RUNNING, 'running'],
  [BulkJobState.SUCCEEDED, 'succeeded'],
  [BulkJobState.FAILED, 'failed'],
  [BulkJobState.CANCELED, 'canceled'],
] as const);
const types = new Map([
  [BulkJobType.ENRICH, 'enrich'],
  [BulkJobType.REPLAY, 'replay'],
  [BulkJobType.EXPORT, 'export'],
] as const);

export const bulkStatesOf = (state: string): BulkJobState[] =>
  [...states].filter(([, name]) => name === state).map(([proto]) => proto);

/** Returns the body of a job of subscriptions or webhooks. */
export function bulkBodyOf(job: BulkJob | undefined): JobBody {
  if (!job) throw new Error('the response has no job');
  const type = types.get(job.type as BulkJobType.ENRICH);
  const state = states.get(job.state as BulkJobState.QUEUED);
  if (!type || !state) throw new Error(`job ${job.id} has the unknown type ${job.type} or state ${job.state}`);
  const { total, done, failed } = job;
  return {
    id: job.id,
    type,
    state,
    domain: null,
    progress: { total, done, failed },
    attempts: 0,
    billed: contractUnitsOf(job.billed),
    error: errorOf(job),
    created_at: timeOf(job.createdAtMs),
    started_at: timeOrNull(job.startedAtMs),
    finished_at: timeOrNull(job.finishedAtMs),
    expires_at: job.expiresAtMs === 0 ? null : timeOf(job.expiresAtMs),
  };
}
