import { type Environment, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db, Filter } from 'mongodb';
import {
  type EndedJob,
  type Job,
  type JobEnd,
  type JobKey,
  liveStates,
  type Refund,
  statesLeadingTo,
} from '../../domain/job.ts';
import { type JobDocument, keyOf, keysIn, ofScan, ofScanIndex, type ScanOfJobs, toJob } from './job-document.ts';

/** The ends of jobs, and the jobs that continue after the end of their scan. */
export function createJobEndStore(db: Db, environment: Environment, options: { retentionMs: number }) {
  const collection: Collection<JobDocument> = db.collection(nameIn(environment, 'jobs', '_'));
  const endedAt = (at: Date) => {
    return { finishedAt: at, holdsPlace: false, forgetAt: new Date(at.getTime() + options.retentionMs) };
  };
  const endFound = async (ending: readonly JobDocument[], end: JobEnd, tx: Tx): Promise<EndedJob[]> => {
    if (ending.length === 0) return [];
    const { finishedAt, ...rest } = end;
    const change = { ...rest, ...endedAt(finishedAt) };
    // The transaction has read these jobs. A concurrent end of one of them therefore conflicts.
    await collection.updateMany(keysIn(ending.map(toJob)), { $set: change }, tx);
    return ending.map((document) => ({ ...toJob({ ...document, ...change }), ...end }));
  };

  return {
    /** Cancels a live job of the workspace. Returns null if the job has changed its state since it was read. */
    async cancel(job: JobKey & Pick<Job, 'state'>, refund: Refund, at: Date, tx: Tx): Promise<Job | null> {
      const canceled = await collection.findOneAndUpdate(
        { ...keyOf(job), state: job.state },
        { $set: { state: 'canceled', refund, dropMark: null, ...endedAt(at) } },
        { ...tx, returnDocument: 'after' },
      );
      return canceled && toJob(canceled);
    },

    async giveRefunds(jobs: readonly JobKey[], tx: Tx): Promise<void> {
      if (jobs.length === 0) return;
      await collection.updateMany({ ...keysIn(jobs), refund: 'owed' }, { $set: { refund: 'given' } }, tx);
    },

    /** Ends at most `limit` jobs of the scan that `which` selects. Returns the ended jobs. */
    async end(scan: ScanOfJobs, which: EndingJobs, end: JobEnd, limit: number, tx: Tx): Promise<EndedJob[]> {
      if (scan.workspaceIds.length === 0) return [];
      const query = { ...ofScan(scan), state: { $in: statesLeadingTo(end.state) }, ...queryOf(which) };
      const ending = await collection.find(query, { ...tx, hint: ofScanIndex, limit, batchSize: limit + 1 }).toArray();
      return endFound(ending, end, tx);
    },

    /** Ends those of the jobs that are still live. Returns the ended jobs. */
    async endAll(jobs: readonly JobKey[], end: JobEnd, tx: Tx): Promise<EndedJob[]> {
      if (jobs.length === 0) return [];
      const query = { ...keysIn(jobs), state: { $in: statesLeadingTo(end.state) } };
      return endFound(await collection.find(query, { ...tx }).toArray(), end, tx);
    },

    /** Returns the number of live jobs of the scan, their workspaces, and the highest number of attempts among them. */
    async remainingOf(scan: ScanOfJobs, tx: Tx): Promise<RemainingJobs> {
      if (scan.workspaceIds.length === 0) return noRemainingJobs;
      const attempts = { $max: '$attempts' };
      const workspaceIds = { $addToSet: '$workspaceId' };
      const [remaining] = await collection
        .aggregate<RemainingJobs>(
          [
            { $match: { ...ofScan(scan), state: { $in: [...liveStates] } } },
            { $group: { _id: null, count: { $sum: 1 }, attempts, workspaceIds } },
          ],
          { ...tx, hint: ofScanIndex },
        )
        .toArray();
      return remaining ?? noRemainingJobs;
    },

    async moveTo(from: ScanOfJobs, toScanId: string, tx: Tx): Promise<void> {
      await collection.updateMany(
        { ...ofScan(from), state: { $in: [...liveStates] } },
        { $set: { scanId: toScanId, state: 'queued' } },
        { ...tx, hint: ofScanIndex },
      );
    },
  };
}

export interface RemainingJobs {
  count: number;
  attempts: number;
  workspaceIds: string[];
}

const noRemainingJobs: RemainingJobs = { count: 0, attempts: 0, workspaceIds: [] };

/**
 * Selects jobs that an observation with this sequence ends, or jobs with at least this many attempts, or jobs that were claimed at this
 * instant or earlier. The last kind excludes jobs that the observation with the sequence `notSeenBy` ends.
 */
export type EndingJobs =
  | { seenBySequence: number }
  | { withAttempts: number }
  | { claimedBefore: Date; notSeenBy: number | undefined };

function queryOf(which: EndingJobs): Filter<JobDocument> {
  if ('seenBySequence' in which) return { minSequence: { $lte: which.seenBySequence } };
  if ('withAttempts' in which) return { attempts: { $gte: which.withAttempts } };
  const { claimedBefore, notSeenBy } = which;
  return { claimedAt: { $lte: claimedBefore }, ...(notSeenBy !== undefined && { minSequence: { $gt: notSeenBy } }) };
}
