import { AppError } from '@shopscope/errors';
import { type BulkJob, BulkJobType, type Job, type Scope } from '@shopscope/proto';
import type { CallerRequest } from '../../keys/caller.ts';
import { requireScopes } from '../../keys/require-scopes.ts';
import { bulkBodyOf } from './bulk-job-body.ts';
import type { JobBody } from './job-body.ts';
import { isListJob, isReplay, type JobClients, scanScope } from './job-owners.ts';
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
export const noSuchJob = () => new AppError('not_found', 'The workspace has no such job.');

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
  if (isListJob(jobId)) return bulkBodyOf(await findBulkJob(deps, request, jobId));
  if (isReplay(jobId)) return findReplay(deps, request, jobId);
  return scanBodyOf(await findScan(deps, request, jobId));
}

export async function findReplay({ webhooks }: JobClients, request: CallerRequest, jobId: string): Promise<JobBody> {
  const { workspaceId } = request.caller;
  return bulkBodyOf((await webhooks.getReplayJob({ workspaceId, jobId }, request)).job);
}

/** The scopes that start an enrichment of a list. */
export const listEnrichScopes: readonly Scope[] = ['read:watchlists', 'read:stores'];

/** The scopes that started a job of subscriptions. */
const startScopesOf = ({ type, refresh, scopes }: BulkJob): (Scope | undefined)[] =>
  type === BulkJobType.EXPORT ? (scopes as Scope[]) : [...listEnrichScopes, refresh ? scanScope : undefined];

/** Cancels a job. The key needs the scopes that start such a job. Those of a scan and of a replay are checked before (`pathScope` of the endpoint). */
export async function cancel(deps: JobClients, request: CallerRequest, jobId: string): Promise<JobBody> {
  const { caller, origin, deadline } = request;
  const { workspaceId } = caller;
  if (isReplay(jobId)) return bulkBodyOf((await deps.webhooks.cancelReplayJob({ workspaceId, jobId }, request)).job);
  if (isListJob(jobId)) {
    requireScopes(caller, startScopesOf(await findBulkJob(deps, request, jobId)));
    return bulkBodyOf((await deps.subscriptions.cancelBulkJob({ workspaceId, jobId }, request)).job);
  }
  const canceled = await deps.scheduler.cancelJob({ workspaceId, jobId }, origin, deadline);
  if (!canceled) throw noSuchJob();
  return scanBodyOf(canceled);
}
