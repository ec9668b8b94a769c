import { AppError } from '@shopscope/errors';
import type { BulkJob, Job, Scope } from '@shopscope/proto';
import type { CallerRequest } from '../../keys/caller.ts';
import { requireScopes } from '../../keys/require-scopes.ts';
import { bulkBodyOf } from './bulk-job-body.ts';
import type { JobBody } from './job-body.ts';
import { isBulkJob, type JobClients, scanScope } from './job-owners.ts';
import { scanBodyOf } from './scan-job-body.ts';

export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

/**
 * One job of the caller's workspace. Its owner stores a job before the response that has its id, so every such id is found at once.
 *
 * - The id belongs to another workspace, is unknown, or is older than the retention -> 404.
 */
const noSuchJob = () => new AppError('not_found', 'The workspace has no such job.');

export async function findScan({ scheduler }: JobClients, request: CallerRequest, jobId: string): Promise<Job> {
  const { caller, origin, deadline } = request;
  const job = await scheduler.getJob({ workspaceId: caller.workspaceId, jobId }, origin, deadline);
  if (!job) throw noSuchJob();
  return job;
}

async function findBulkJob({ subscriptions }: JobClients, request: CallerRequest, jobId: string): Promise<BulkJob> {
  const { workspaceId } = request.caller;
  const { job } = await subscriptions.getBulkJob({ workspaceId, jobId }, request);
  if (!job) throw noSuchJob();
  return job;
}

export async function readJob(deps: JobClients, request: CallerRequest, jobId: string): Promise<JobBody> {
  if (isBulkJob(jobId)) return bulkBodyOf(await findBulkJob(deps, request, jobId));
  return scanBodyOf(await findScan(deps, request, jobId));
}

/** The scopes that start an enrichment of a list. */
export const listEnrichScopes: readonly Scope[] = ['read:watchlists', 'read:stores'];

/** Cancels a job. The key needs the scopes that start such a job. Those of a scan are checked before (`pathScope` of the endpoint). */
export async function cancel(deps: JobClients, request: CallerRequest, jobId: string): Promise<JobBody> {
  const { caller, origin, deadline } = request;
  const { workspaceId } = caller;
  if (isBulkJob(jobId)) {
    const { refresh } = await findBulkJob(deps, request, jobId);
    requireScopes(caller, [...listEnrichScopes, refresh ? scanScope : undefined]);
    return bulkBodyOf((await deps.subscriptions.cancelBulkJob({ workspaceId, jobId }, request)).job);
  }
  const canceled = await deps.scheduler.cancelJob({ workspaceId, jobId }, origin, deadline);
  if (!canceled) throw noSuchJob();
  return scanBodyOf(canceled);
}
