import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { type BulkJob, isJobId, type JobRef } from '../../domain/bulk-job.ts';
import type { Dependencies } from '../dependencies.ts';

export const noSuchJob = () => new AppError('not_found', 'The workspace has no such job.');

/** Throws `not_found` for an id that no job of this service can have. */
export function jobRefOf<E extends Environment>({ workspaceId, environment }: Tenant<E>, id: string): JobRef<E> {
  if (!isJobId(id)) throw noSuchJob();
  return { environment, workspaceId, id };
}

export async function findJob<E extends Environment>(
  { bulkJobs, clock }: Dependencies<E>,
  tenant: Tenant<E>,
  id: string,
  { deadline }: CallContext,
): Promise<BulkJob> {
  const maxTimeMS = deadline.timeoutMs();
  const job = await bulkJobs.find(jobRefOf(tenant, id), new Date(clock.now()), { maxTimeMS });
  if (!job) throw noSuchJob();
  return job;
}
