import type { IndexDefinition } from '@shopscope/mongo';
import type { Job } from '../../domain/job.ts';
import type { OffsetMark } from './offset-mark.ts';

/** A document of the collection `jobs`. */
export interface JobDocument extends Omit<Job, 'id' | 'unit' | 'refund'> {
  _id: string;
  /** Absent in jobs of earlier versions, which bill lookup_live. */
  unit?: Job['unit'];
  /** Absent in jobs of earlier versions. */
  refund?: Job['refund'];
  /** End of scan-requests.v1, read after the claim became overdue; null before, and after a repeated claim. */
  dropMark: OffsetMark | null;
  /** When MongoDB deletes the job; null while the job is live. */
  forgetAt: Date | null;
}

/** Jobs of a workspace, newest first; and those in a state. */
const listIndex = 'list';
const listByStateIndex = 'list-by-state';

export const jobIndexes: IndexDefinition[] = [
  // Guarantees one live job per workspace and domain: one of several concurrent inserts wins.
  { key: { workspaceId: 1, domain: 1 }, options: { unique: true, partialFilterExpression: { holdsPlace: true } } },
  // MongoDB proves for a comparison that a query stays within a partial index; for `$type` it does not.
  { key: { scanId: 1, state: 1 }, options: { name: 'of-scan', partialFilterExpression: { scanId: { $gt: '' } } } },
  { key: { chargeId: 1, state: 1 } },
  { key: { state: 1, claimedAt: 1 } },
  { key: { workspaceId: 1, createdAt: -1, _id: -1 }, options: { name: listIndex } },
  { key: { workspaceId: 1, state: 1, createdAt: -1, _id: -1 }, options: { name: listByStateIndex } },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
];

export function toDocument({ id, ...rest }: Job): JobDocument {
  return { _id: id, ...rest, dropMark: null, forgetAt: null };
}

export function toJob({ _id, dropMark: _, forgetAt: __, ...rest }: JobDocument): Job {
  return { id: _id, ...rest, unit: rest.unit ?? 'lookup_live', refund: rest.refund ?? 'none' };
}

/** The place of a job in the list of its workspace. */
export interface JobPosition {
  createdAt: Date;
  jobId: string;
}

/** The jobs after a position as ranges of one index. An `$or` of the two would read all earlier jobs again. */
export const listRanges = (after: JobPosition | null) =>
  after ? [{ createdAt: after.createdAt, _id: { $lt: after.jobId } }, { createdAt: { $lt: after.createdAt } }] : [{}];

/** The planner could choose the other index, and read all jobs of the workspace for a rare state. */
export const listOptions = (query: { state?: unknown }, limit: number, maxTimeMS: number) =>
  ({
    maxTimeMS,
    limit,
    sort: { createdAt: -1, _id: -1 },
    hint: 'state' in query ? listByStateIndex : listIndex,
  }) as const;
