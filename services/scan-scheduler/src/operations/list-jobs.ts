import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Job, JobState } from '../domain/job.ts';
import type { JobPosition } from '../outbound/mongo/job-document.ts';
import type { Dependencies } from './dependencies.ts';
import { requireIdentifier, requireInstant } from './require-valid.ts';

export interface ListJobs {
  workspaceId: string;
  /** An empty list means every state. */
  states: readonly JobState[];
  after: JobPosition | null;
  limit: number;
}

const maxLimit = 200;

/**
 * Returns a page of the workspace's jobs, newest first: by creation time, then by id. Both never change. Later pages therefore neither omit
 * nor repeat a job that existed at the first page. With `states`, a job may change its state between two pages.
 */
export async function listJobs(
  deps: Dependencies,
  input: ListJobs,
  context: CallContext,
): Promise<{ jobs: Job[]; hasMore: boolean }> {
  const { workspaceId, limit, states, after } = input;
  requireIdentifier('workspace_id', workspaceId);
  if (after) requireIdentifier('after.job_id', after.jobId);
  if (after) requireInstant('after.created_at_ms', after.createdAt.getTime());
  if (!(limit >= 1 && limit <= maxLimit)) throw invalidField('limit', `must be 1 to ${maxLimit}`);
  const page = { states, after, limit: limit + 1 };
  const found = await deps.jobs.listOfWorkspace(workspaceId, page, context.deadline.timeoutMs());
  return { jobs: found.slice(0, limit), hasMore: found.length > limit };
}
