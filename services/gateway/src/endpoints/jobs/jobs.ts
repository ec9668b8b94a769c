import { AppError, invalidField } from '@shopscope/errors';
import type { z } from 'zod';
import { quoted } from '../../http/input/sanitized-input.ts';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { listJobsQuery } from './contract.ts';
import { type JobBody, jobBodyOf, jobResultsOf, protoStatesOf } from './job-body.ts';

export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

/**
 * The jobs of the caller's workspace. scan-scheduler stores a job before the response that has its id, so every such id is found at once.
 *
 * - The id belongs to another workspace, is unknown, or is older than the retention -> 404.
 * - Pages are ordered by creation time, newest first, then by id. Both never change. A cursor belongs to the workspace and the filters.
 */
type Scheduler = Pick<Dependencies, 'scheduler'>;

const noSuchJob = () => new AppError('not_found', 'The workspace has no such job.');

async function findJob({ scheduler }: Scheduler, { caller, origin, deadline }: CallerRequest, jobId: string) {
  const job = await scheduler.getJob({ workspaceId: caller.workspaceId, jobId }, origin, deadline);
  if (!job) throw noSuchJob();
  return job;
}

export const readJob = async (deps: Scheduler, request: CallerRequest, jobId: string): Promise<JobBody> =>
  jobBodyOf(await findJob(deps, request, jobId));

export async function pageOfJobs(
  { scheduler, cursors }: Pick<Dependencies, 'scheduler' | 'cursors'>,
  { caller, origin, deadline }: CallerRequest,
  { state, type, cursor, limit }: z.output<typeof listJobsQuery>,
): Promise<Page<JobBody>> {
  const { workspaceId } = caller;
  const bound = ['jobs', workspaceId, state ?? '', type ?? ''];
  const after = cursor === undefined ? undefined : positionOf(cursors.verify(bound, cursor));
  // A later release adds jobs of other types.
  if (type !== undefined && type !== 'scan') return { data: [], next_cursor: null };
  const states = state === undefined ? [] : protoStatesOf(state);
  const { jobs, hasMore } = await scheduler.listJobs({ workspaceId, states, limit, after }, origin, deadline);
  const last = jobs.at(-1);
  return {
    data: jobs.map(jobBodyOf),
    next_cursor: hasMore && last ? cursors.sign(bound, `${last.createdAtMs} ${last.id}`) : null,
  };
}

/** A scan has at most one result, so no page has a cursor. */
export async function pageOfResults(
  deps: Scheduler,
  request: CallerRequest,
  jobId: string,
  cursor: string | undefined,
): Promise<Page<object>> {
  const job = await findJob(deps, request, jobId);
  if (cursor !== undefined) {
    throw invalidField('cursor', `must be the next_cursor of a page of this query, not ${quoted(cursor)}`);
  }
  return { data: jobResultsOf(job), next_cursor: null };
}

export async function cancel(
  { scheduler }: Scheduler,
  { caller, origin, deadline }: CallerRequest,
  jobId: string,
): Promise<JobBody> {
  const canceled = await scheduler.cancelJob({ workspaceId: caller.workspaceId, jobId }, origin, deadline);
  if (!canceled) throw noSuchJob();
  return jobBodyOf(canceled);
}

function positionOf(position: string) {
  const [createdAtMs = '', jobId = ''] = position.split(' ');
  return { createdAtMs: Number(createdAtMs), jobId };
}
