import type { CollectionDefinition } from '@shopscope/mongo';
import type { Filter } from 'mongodb';
import type { Job, JobKey, JobState } from '../../domain/job.ts';
import type { ScanKey } from '../../domain/scan.ts';
import type { StoredOffsets } from './stored-offsets.ts';

export interface JobDocument extends Omit<Job, 'id'> {
  _id: string;
  /** The end of scan-requests.v1, read after the claim became overdue. Null before that, and after a repeated claim. */
  dropMark: StoredOffsets | null;
  /** When MongoDB deletes the job. Null while the job is live. */
  forgetAt: Date | null;
}

/** The indexes for the jobs of a workspace, newest first: all of them, and those in a state. */
const listIndex = 'list';
const listByStateIndex = 'list-by-state';
/** The index for the jobs of a scan. Queries name it, because the planner could read all jobs of the workspaces instead. */
export const ofScanIndex = 'of-scan';

/**
 * Jobs are sharded by workspace, because requests name it. A scan names the workspaces of its jobs, so that a command on these jobs goes to
 * the shards of the workspaces only. The domain divides the jobs of a large workspace.
 */
export const jobCollection = {
  shardKey: { workspaceId: 1, domain: 1 },
  uniqueId: 'the id derives from the charge of a workspace and from the domain',
  scatters: {
    'find _id,workspaceId': 'only for a request whose claim was dropped: its job may belong to another workspace',
    'find claimedAt,state': 'the tick looks for overdue claims',
    'aggregate claimedAt,state': 'the tick looks for jobs at their time limit',
    'aggregate state': 'the tick counts live jobs',
  },
  indexes: [
    // This index guarantees one live job per workspace and domain: one of several concurrent inserts wins.
    // Its name leaves the usual name to the index of the shard key, which may not be partial.
    {
      key: { workspaceId: 1, domain: 1 },
      options: { name: 'one-live-job', unique: true, partialFilterExpression: { holdsPlace: true } },
    },
    // With a comparison, MongoDB can prove that a query stays within a partial index. With `$type` it cannot.
    { key: { scanId: 1, state: 1 }, options: { name: ofScanIndex, partialFilterExpression: { scanId: { $gt: '' } } } },
    { key: { chargeId: 1, state: 1 } },
    { key: { state: 1, claimedAt: 1 } },
    { key: { workspaceId: 1, createdAt: -1, _id: -1 }, options: { name: listIndex } },
    { key: { workspaceId: 1, state: 1, createdAt: -1, _id: -1 }, options: { name: listByStateIndex } },
    { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
  ],
} as const satisfies CollectionDefinition;

/** Matches one job. Workspace and domain send the command to one shard. */
export const keyOf = ({ id, workspaceId, domain }: JobKey) => ({ _id: id, workspaceId, domain });
/** Matches several jobs. */
export const keysIn = (jobs: readonly JobKey[]) => ({
  _id: { $in: jobs.map(({ id }) => id) },
  workspaceId: { $in: [...new Set(jobs.map(({ workspaceId }) => workspaceId))] },
  domain: { $in: [...new Set(jobs.map(({ domain }) => domain))] },
});

/** A scan with the workspaces of its jobs. */
export type ScanOfJobs = ScanKey & { workspaceIds: readonly string[] };
/** Matches the jobs of a scan. Use it with the hint {@link ofScanIndex}. */
export const ofScan = ({ id, domain, workspaceIds }: ScanOfJobs) => ({
  scanId: id,
  workspaceId: { $in: [...workspaceIds] },
  domain,
});

export function toDocument({ id, ...rest }: Job): JobDocument {
  return { _id: id, ...rest, dropMark: null, forgetAt: null };
}

export function toJob({ _id, dropMark: _, forgetAt: __, ...rest }: JobDocument): Job {
  return { id: _id, ...rest };
}

/** The position of a job in the list of its workspace. */
export interface JobPosition {
  createdAt: Date;
  jobId: string;
}

export interface JobsPage {
  states: readonly JobState[];
  after: JobPosition | null;
  /** An empty list means every job. */
  jobIds?: readonly string[];
  limit: number;
}

/**
 * Returns a query for a page of a workspace's jobs. MongoDB merges a branch per state and range of the index, newest first.
 *
 * - A state has two ranges, because `$lte` of a time with a condition on the id would read all jobs of that time again.
 * - The query has a hint, because the planner could choose the other index and read all jobs of the workspace for a rare state.
 * - A query for jobs by their ids reads these jobs only, by the index of the ids.
 * - The query reads one snapshot. With the default concern, a job that changes its state meanwhile could be in two branches or in none.
 */
export function listQuery(workspaceId: string, { states, after, jobIds = [], limit }: JobsPage) {
  const ofStates = states.length > 0 ? states.map((state) => ({ state })) : [{}];
  const ranges = after
    ? [{ createdAt: after.createdAt, _id: { $lt: after.jobId } }, { createdAt: { $lt: after.createdAt } }]
    : [{}];
  const branches = ofStates.flatMap((ofState) => ranges.map((range) => ({ workspaceId, ...ofState, ...range })));
  const ofIds = jobIds.length > 0 ? { _id: { $in: [...jobIds] } } : {};
  const listHint = states.length > 0 ? listByStateIndex : listIndex;
  return {
    query: { ...ofIds, $or: branches } satisfies Filter<JobDocument>,
    options: {
      limit,
      sort: { createdAt: -1, _id: -1 },
      hint: jobIds.length > 0 ? '_id_' : listHint,
      readConcern: { level: 'snapshot' },
    },
  } as const;
}
