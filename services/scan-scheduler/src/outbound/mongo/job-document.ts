import type { IndexDefinition } from '@shopscope/mongo';
import type { Job } from '../../domain/job.ts';
import type { OffsetMark } from './offset-mark.ts';

/** A document of the collection `jobs`. */
export interface JobDocument extends Omit<Job, 'id'> {
  _id: string;
  /** End of scan-requests.v1, read after the claim became overdue; null before, and after a repeated claim. */
  dropMark: OffsetMark | null;
  /** When MongoDB deletes the job; null while the job is live. */
  forgetAt: Date | null;
}

export const jobIndexes: IndexDefinition[] = [
  // Guarantees one live job per workspace and domain: one of several concurrent inserts wins.
  { key: { workspaceId: 1, domain: 1 }, options: { unique: true, partialFilterExpression: { holdsPlace: true } } },
  { key: { scanId: 1, state: 1 }, options: { partialFilterExpression: { scanId: { $type: 'string' } } } },
  { key: { chargeId: 1, state: 1 } },
  { key: { state: 1, claimedAt: 1 } },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
];

export function toDocument({ id, ...rest }: Job): JobDocument {
  return { _id: id, ...rest, dropMark: null, forgetAt: null };
}

export function toJob({ _id, dropMark: _, forgetAt: __, ...rest }: JobDocument): Job {
  return { id: _id, ...rest };
}
