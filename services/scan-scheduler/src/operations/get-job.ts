import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Job } from '../domain/job.ts';
import type { JobDependencies } from './dependencies.ts';

/** Returns a job of the workspace. An unknown job and a job of another workspace cause the same error. */
export async function getJob<E extends Environment>(
  deps: JobDependencies<E>,
  input: { workspaceId: string; jobId: string },
  context: CallContext,
): Promise<Job> {
  const maxTimeMS = context.deadline.timeoutMs();
  const job = await deps.jobs.find(input.workspaceId, input.jobId, { maxTimeMS });
  if (!job) throw new AppError('not_found', 'The workspace has no such job.');
  return job;
}
