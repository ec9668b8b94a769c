import type { Environment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Job, JobState } from '../domain/job.ts';
import type { JobPosition } from '../outbound/mongo/job-document.ts';
import type { JobDependencies } from './dependencies.ts';
import { requireIdentifier, requireInstant } from './require-valid.ts';

export interface ListJobs {
  workspaceId: string;
  /** An empty list means every state. */
  states: readonly JobState[];
  /** Only these jobs; unknown ones are left out. An empty list means every job. */
  jobIds?: readonly string[];
  after: JobPosition | null;
  limit: number;
}

const maxLimit = 200;
const maxIds = 100;

/**
 * Returns a page of the workspace's jobs, newest first: by creation time, then by id. Both never change. Later pages therefore neither omit
 * nor repeat a job that existed at the first page. With `states`, a job may change its state between two pages.
 */
export async function listJobs<E extends Environment>(
  deps: JobDependencies<E>,
  input: ListJobs,
  context: CallContext,
): Promise<{ jobs: Job[]; hasMore: boolean }> {
  const { workspaceId, limit, states, after, jobIds = [] } = input;
  requireIdentifier('workspace_id', workspaceId);
  if (after) requireIdentifier('after.job_id', after.jobId);
  if (after) requireInstant('after.created_at_ms', after.createdAt.getTime());
  if (!(limit >= 1 && limit <= maxLimit)) throw invalidField('limit', `must be 1 to ${maxLimit}`);
  if (jobIds.length > maxIds) throw invalidField('job_ids', `has more than ${maxIds} entries`);
  for (const [index, jobId] of jobIds.entries()) requireIdentifier(`job_ids[${index}]`, jobId);
  const page = { states, after, jobIds, limit: limit + 1 };
  const found = await deps.jobs.listOfWorkspace(workspaceId, page, context.deadline.timeoutMs());
  return { jobs: found.slice(0, limit), hasMore: found.length > limit };
}
