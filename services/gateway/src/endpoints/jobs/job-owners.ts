import type { Scope } from '@shopscope/proto';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { bulkBodyOf, bulkStatesOf, bulkTypesOf } from './bulk-job-body.ts';
import type { jobStates, jobTypes } from './contract.ts';
import type { JobPosition, JobRow } from './merge-jobs.ts';
import { scanBodyOf, scanStatesOf } from './scan-job-body.ts';

/**
 * The services that own jobs. The first letter after the prefix of a job's id names the owner: `u` is subscriptions. The alphabet of other
 * ids lacks this letter.
 */
export type JobClients = Pick<Dependencies, 'scheduler' | 'subscriptions'>;

export const isBulkJob = (jobId: string): boolean => jobId.startsWith('job_u');

/** The scope that canceling a scan needs. */
export const scanScope: Scope = 'write:scans';

export interface JobQuery {
  /** If undefined, every state and every type matches. */
  state: (typeof jobStates)[number] | undefined;
  type: (typeof jobTypes)[number] | undefined;
  /** Only jobs with these ids match. If it is empty, every id matches. */
  ids: readonly string[];
  after: JobPosition | undefined;
  limit: number;
}

export interface JobOwner {
  owns(jobId: string): boolean;
  /** Whether the service can have jobs of the type. */
  hasType(type: string): boolean;
  list(
    deps: JobClients,
    request: CallerRequest,
    query: JobQuery,
  ): Promise<{ rows: readonly JobRow[]; hasMore: boolean }>;
}

const scans: JobOwner = {
  owns: (jobId) => !isBulkJob(jobId),
  hasType: (type) => type === 'scan',
  async list({ scheduler }, { caller, origin, deadline }, { state, ids, after, limit }) {
    const page = {
      workspaceId: caller.workspaceId,
      states: state === undefined ? [] : scanStatesOf(state),
      limit,
      after: after && { createdAtMs: after.createdAtMs, jobId: after.id },
      jobIds: [...ids],
    };
    const { jobs, hasMore } = await scheduler.listJobs(page, origin, deadline);
    return { rows: jobs.map((job) => ({ createdAtMs: job.createdAtMs, id: job.id, body: scanBodyOf(job) })), hasMore };
  },
};

const bulkJobs: JobOwner = {
  owns: isBulkJob,
  hasType: (type) => bulkTypesOf(type).length > 0,
  async list({ subscriptions }, request, { state, type, ids, after, limit }) {
    const page = {
      workspaceId: request.caller.workspaceId,
      states: state === undefined ? [] : bulkStatesOf(state),
      types: type === undefined ? [] : bulkTypesOf(type),
      limit,
      after: after && { createdAtMs: after.createdAtMs, jobId: after.id },
      jobIds: [...ids],
    };
    const { jobs, hasMore } = await subscriptions.listBulkJobs(page, request);
    return { rows: jobs.map((job) => ({ createdAtMs: job.createdAtMs, id: job.id, body: bulkBodyOf(job) })), hasMore };
  },
};

/** Cursors hold one position per owner in this order. A new owner goes to the end. */
export const jobOwners: readonly JobOwner[] = [scans, bulkJobs];
