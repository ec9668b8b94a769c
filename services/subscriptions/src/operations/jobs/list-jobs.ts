import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import { type CallContext, pageOf } from '@shopscope/grpc';
import { type BulkJob, isJobId } from '../../domain/bulk-job.ts';
import type { JobFilter } from '../../outbound/mongo/bulk-jobs.ts';
import type { Dependencies } from '../dependencies.ts';

const maxIds = 100;

/** Returns a page of jobs, the newest first, then by id, descending. Unknown ids are left out. */
export async function listJobs<E extends Environment>(
  { bulkJobs, clock }: Dependencies<E>,
  tenant: Tenant<E>,
  { limit, ...filter }: JobFilter & { limit: number },
  { deadline }: CallContext,
): Promise<{ rows: BulkJob[]; hasMore: boolean }> {
  if (filter.ids.length > maxIds) throw invalidField('job_ids', `must be at most ${maxIds}`);
  const ids = filter.ids.filter(isJobId);
  if (filter.ids.length > 0 && ids.length === 0) return { rows: [], hasMore: false };
  const now = new Date(clock.now());
  return pageOf(limit, (readLimit) => bulkJobs.list(tenant, { ...filter, ids }, now, readLimit, deadline.timeoutMs()));
}
