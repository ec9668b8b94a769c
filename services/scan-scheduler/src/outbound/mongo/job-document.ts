import type { IndexDefinition } from '@shopscope/mongo';
import type { Job } from '../../domain/job.ts';
import type { OffsetMark } from './offset-mark.ts';

/** A job as the collection `jobs` keeps it. */
export interface JobDocument extends Omit<Job, 'id'> {
  _id: string;
  /** End of scan-requests.v1 as read once the claim was overdue; null before, and again after a repetition. */
  dropMark: OffsetMark | null;
  /** When MongoDB may forget the job; null while it lives. */
  forgetAt: Date | null;
}

export const jobIndexes: IndexDefinition[] = [
  // The truth about "one live job of a workspace and domain": two claims at once, one insert wins.
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
