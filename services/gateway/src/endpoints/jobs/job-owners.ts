import { type BulkJob, BulkJobType, type ListBulkJobsRequest, type Scope } from '@shopscope/proto';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { bulkBodyOf, bulkStatesOf } from './bulk-job-body.ts';
import type { jobStates, jobTypes } from './contract.ts';
import type { JobPosition, JobRow } from './merge-jobs.ts';
import { scanBodyOf, scanStatesOf } from './scan-job-body.ts';

/**
 * The services that own jobs. The first letter after the prefix of a job's id names the owner: `u` is subscriptions, `o` is webhooks. The
 * alphabet of other ids lacks these letters.
 */
export type JobClients = Pick<Dependencies, 'scheduler' | 'subscriptions' | 'webhooks'>;

export const isListJob = (jobId: string): boolean => jobId.startsWith('job_u');
export const isReplay = (jobId: string): boolean => jobId.startsWith('job_o');
const isScan = (jobId: string): boolean => !isListJob(jobId) && !isReplay(jobId);

/** The scope that canceling a scan needs. */
export const scanScope: Scope = 'write:scans';
export const replayScope: Scope = 'write:webhooks';

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
  owns: isScan,
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

const bulkPageOf = ({ caller }: CallerRequest, { state, ids, after, limit }: JobQuery): ListBulkJobsRequest => ({
  workspaceId: caller.workspaceId,
  states: state === undefined ? [] : bulkStatesOf(state),
  types: [],
  limit,
  after: after && { createdAtMs: after.createdAtMs, jobId: after.id },
  jobIds: [...ids],
});

const bulkRowsOf = ({ jobs, hasMore }: { jobs: readonly BulkJob[]; hasMore: boolean }) => ({
  rows: jobs.map((job) => ({ createdAtMs: job.createdAtMs, id: job.id, body: bulkBodyOf(job) })),
  hasMore,
});

const listJobTypes: ReadonlyMap<string, BulkJobType> = new Map([
  ['enrich', BulkJobType.ENRICH],
  ['export', BulkJobType.EXPORT],
]);

const listJobs: JobOwner = {
  owns: isListJob,
  hasType: (type) => listJobTypes.has(type),
  async list({ subscriptions }, request, query) {
    const type = query.type && listJobTypes.get(query.type);
    const types = type === undefined ? [] : [type];
    return bulkRowsOf(await subscriptions.listBulkJobs({ ...bulkPageOf(request, query), types }, request));
  },
};

const replays: JobOwner = {
  owns: isReplay,
  hasType: (type) => type === 'replay',
  list: async ({ webhooks }, request, query) =>
    bulkRowsOf(await webhooks.listReplayJobs(bulkPageOf(request, query), request)),
};

/** Cursors hold one position per owner in this order. A new owner goes to the end. */
export const jobOwners: readonly JobOwner[] = [scans, listJobs, replays];
