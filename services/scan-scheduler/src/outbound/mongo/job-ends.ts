import type { Tx } from '@shopscope/mongo';
import type { Collection, Db, Filter } from 'mongodb';
import { type EndedJob, type Job, type JobEnd, liveStates, type Refund, statesLeadingTo } from '../../domain/job.ts';
import { queuedStates } from '../../domain/scan.ts';
import { type JobDocument, toJob } from './job-document.ts';

/** The ends of jobs, and the jobs that continue after the end of their scan. */
export function createJobEndStore(db: Db, options: { retentionMs: number }) {
  const collection: Collection<JobDocument> = db.collection('jobs');
  const endedAt = (at: Date) => {
    return { finishedAt: at, holdsPlace: false, forgetAt: new Date(at.getTime() + options.retentionMs) };
  };

  return {
    /** Cancels a live job of the workspace. Returns null if the job has changed its state since it was read. */
    async cancel(job: Pick<Job, 'id' | 'state'>, refund: Refund, at: Date, tx: Tx): Promise<Job | null> {
      const canceled = await collection.findOneAndUpdate(
        { _id: job.id, state: job.state },
        { $set: { state: 'canceled', refund, dropMark: null, ...endedAt(at) } },
        { ...tx, returnDocument: 'after' },
      );
      return canceled && toJob(canceled);
    },

    async giveRefunds(ids: readonly string[], tx: Tx): Promise<void> {
      if (ids.length === 0) return;
      await collection.updateMany({ _id: { $in: [...ids] }, refund: 'owed' }, { $set: { refund: 'given' } }, tx);
    },

    /** Ends at most `limit` jobs of the scan that `which` selects. Returns the ended jobs. */
    async end(scanId: string, which: EndingJobs, end: JobEnd, limit: number, tx: Tx): Promise<EndedJob[]> {
      const query = { scanId, state: { $in: statesLeadingTo(end.state) }, ...queryOf(which) };
      const ending = await collection.find(query, { ...tx, limit, batchSize: limit + 1 }).toArray();
      if (ending.length === 0) return [];
      const { finishedAt, ...rest } = end;
      const change = { ...rest, ...endedAt(finishedAt) };
      // The transaction has read these jobs. A concurrent end of one of them therefore conflicts.
      await collection.updateMany({ _id: { $in: ending.map(({ _id }) => _id) } }, { $set: change }, tx);
      return ending.map((document) => ({ ...toJob({ ...document, ...change }), ...end }));
    },

    /** Returns the number of live jobs of the scan, and the highest number of attempts among them. */
    async remainingOf(scanId: string, tx: Tx): Promise<{ count: number; attempts: number }> {
      const [remaining] = await collection
        .aggregate<{ count: number; attempts: number }>(
          [
            { $match: { scanId, state: { $in: [...liveStates] } } },
            { $group: { _id: null, count: { $sum: 1 }, attempts: { $max: '$attempts' } } },
          ],
          tx,
        )
        .toArray();
      return remaining ?? { count: 0, attempts: 0 };
    },

    async moveTo(fromScanId: string, toScanId: string, tx: Tx): Promise<void> {
      await collection.updateMany(
        { scanId: fromScanId, state: { $in: [...liveStates] } },
        { $set: { scanId: toScanId, state: 'queued' } },
        tx,
      );
    },

    /**
     * Returns the ids of scans with overdue jobs, the oldest jobs first. Such a job was claimed at `before` or earlier, and has no
     * observation that waits for its merge.
     */
    async listScansWithOverdueJobs(before: Date, limit: number): Promise<string[]> {
      const hasNoObservation = {
        $or: [
          { 'scan.state': { $in: [...queuedStates, 'leased'] } },
          { 'scan.state': 'observed', $expr: { $gt: ['$minSequence', '$scan.sequence'] } },
        ],
      };
      const rows = await collection
        .aggregate<{ scanId: string }>([
          { $match: { state: { $in: ['queued', 'running'] }, claimedAt: { $lte: before } } },
          { $sort: { claimedAt: 1 } },
          { $lookup: { from: 'scans', localField: 'scanId', foreignField: '_id', as: 'scan' } },
          { $unwind: '$scan' },
          { $match: hasNoObservation },
          { $limit: limit },
          { $project: { scanId: 1 } },
        ])
        .toArray();
      return [...new Set(rows.map(({ scanId }) => scanId))];
    },
  };
}

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
