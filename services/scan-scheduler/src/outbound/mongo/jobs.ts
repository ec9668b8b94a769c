import type { Tx } from '@shopscope/mongo';
import type { Collection, Db, Filter } from 'mongodb';
import {
  type EndState,
  type Job,
  type JobError,
  type JobState,
  liveStates,
  type Refund,
  statesLeadingTo,
} from '../../domain/job.ts';
import { type JobStart, queuedStates } from '../../domain/scan.ts';
import { type JobDocument, type JobPosition, listQuery, toDocument, toJob } from './job-document.ts';

export type JobStore = ReturnType<typeof createJobStore>;

export function createJobStore(db: Db, options: { retentionMs: number }) {
  const collection: Collection<JobDocument> = db.collection('jobs');

  return {
    async insert(jobs: readonly Job[], tx: Tx): Promise<void> {
      if (jobs.length > 0) await collection.insertMany(jobs.map(toDocument), { ...tx });
    },

    async findAll(ids: readonly string[], tx: Tx): Promise<Map<string, Job>> {
      const found = await collection.find({ _id: { $in: [...ids] } }, { ...tx }).toArray();
      return new Map(found.map((document) => [document._id, toJob(document)]));
    },

    async findOfWorkspace(workspaceId: string, ids: readonly string[], maxTimeMS: number): Promise<Job[]> {
      return (await collection.find({ _id: { $in: [...ids] }, workspaceId }, { maxTimeMS }).toArray()).map(toJob);
    },

    /**
     * Jobs of the workspace, newest first, after a position. One snapshot, so a job that changes its state meanwhile is there once. Reads
     * at most `limit` documents, and a few more entries of the index.
     */
    async listOfWorkspace(
      workspaceId: string,
      page: { states: readonly JobState[]; after: JobPosition | null; limit: number },
      maxTimeMS: number,
    ): Promise<Job[]> {
      const { query, options } = listQuery(workspaceId, page);
      return (await collection.find(query, { ...options, maxTimeMS }).toArray()).map(toJob);
    },

    /** A live job of the workspace becomes canceled; null when it has ended or changed its state since. */
    async cancel(job: Pick<Job, 'id' | 'state'>, refund: Refund, at: Date, tx: Tx): Promise<Job | null> {
      const canceled = await collection.findOneAndUpdate(
        { _id: job.id, state: job.state },
        {
          $set: {
            state: 'canceled',
            refund,
            finishedAt: at,
            holdsPlace: false,
            dropMark: null,
            forgetAt: new Date(at.getTime() + options.retentionMs),
          },
        },
        { ...tx, returnDocument: 'after' },
      );
      return canceled && toJob(canceled);
    },

    /** owed -> given */
    async giveRefunds(ids: readonly string[], tx: Tx): Promise<void> {
      if (ids.length === 0) return;
      await collection.updateMany({ _id: { $in: [...ids] }, refund: 'owed' }, { $set: { refund: 'given' } }, tx);
    },

    /** The latest job of the charge per domain; a domain without a job is absent. */
    async findLatestOfCharge(
      workspaceId: string,
      chargeId: string,
      domains: readonly string[],
      maxTimeMS: number,
    ): Promise<Map<string, Job>> {
      const query = { chargeId, workspaceId, domain: { $in: [...domains] } };
      const found = await collection.find(query, { maxTimeMS }).sort({ createdAt: 1 }).toArray();
      return new Map(found.map((job) => [job.domain, toJob(job)]));
    },

    /** requested → queued, or requested → running when the scan is leased. */
    async attach(
      attached: readonly { id: string; scanId: string; start: JobStart }[],
      at: Date,
      tx: Tx,
    ): Promise<void> {
      const operations = attached.map(({ id, scanId, start }) => {
        const startedAt = start.state === 'running' ? at : null;
        const filter = { _id: id, state: { $in: statesLeadingTo('queued') } };
        return { updateOne: { filter, update: { $set: { scanId, ...start, startedAt, dropMark: null } } } };
      });
      await collection.bulkWrite(operations, { ...tx });
    },

    /** At the start of a lease: the queued jobs of the scan become running and count an attempt. */
    async start(scanId: string, at: Date, tx: Tx): Promise<void> {
      await collection.updateMany(
        { scanId, state: 'queued' },
        [
          {
            $set: {
              state: 'running',
              attempts: { $add: ['$attempts', 1] },
              startedAt: { $ifNull: ['$startedAt', at] },
            },
          },
        ],
        tx,
      );
    },

    /** After a lost attempt: the running jobs of the scan become queued. */
    async requeue(scanId: string, tx: Tx, options: { attemptUndone?: boolean } = {}): Promise<void> {
      await collection.updateMany(
        { scanId, state: 'running' },
        { $set: { state: 'queued' }, ...(options.attemptUndone ? { $inc: { attempts: -1 } } : {}) },
        tx,
      );
    },

    /** Ends the jobs of the scan that `which` selects. Returns their number. */
    async end(
      scanId: string,
      which: EndingJobs,
      to: EndState,
      error: JobError | null,
      at: Date,
      tx: Tx,
    ): Promise<number> {
      const ended = await collection.updateMany(
        { scanId, state: { $in: statesLeadingTo(to) }, ...queryOf(which) },
        {
          $set: {
            state: to,
            error,
            finishedAt: at,
            holdsPlace: false,
            forgetAt: new Date(at.getTime() + options.retentionMs),
          },
        },
        tx,
      );
      return ended.modifiedCount;
    },

    /** The live jobs of the scan: their number and their highest attempt count. */
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

    /** The workspace of the oldest live job of each scan. */
    async oldestWorkspaces(scanIds: readonly string[]): Promise<Map<string, string>> {
      const found = await collection
        .find(
          { scanId: { $in: [...scanIds] }, state: { $in: [...liveStates] } },
          { projection: { scanId: 1, workspaceId: 1, createdAt: 1 } },
        )
        .toArray();
      const newestFirst = found.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
      return new Map(newestFirst.map(({ scanId, workspaceId }) => [scanId as string, workspaceId]));
    },

    /** Moves the live jobs of one scan to another. */
    async moveTo(fromScanId: string, toScanId: string, tx: Tx): Promise<void> {
      await collection.updateMany(
        { scanId: fromScanId, state: { $in: [...liveStates] } },
        { $set: { scanId: toScanId, state: 'queued' } },
        tx,
      );
    },

    /**
     * Ids of scans with jobs that were claimed at `before` or earlier and have no observation that waits for its merge, the
     * oldest jobs first.
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

    /** Number of live jobs by state. */
    async countLive(): Promise<Partial<Record<JobState, number>>> {
      const rows = await collection
        .aggregate<{ _id: JobState; count: number }>([
          { $match: { state: { $in: [...liveStates] } } },
          { $group: { _id: '$state', count: { $sum: 1 } } },
        ])
        .toArray();
      return Object.fromEntries(rows.map(({ _id, count }) => [_id, count]));
    },
  };
}

/**
 * Selects jobs that an observation with this sequence ends, jobs with at least this many attempts, or jobs that were claimed
 * at an instant or earlier, of which the observation with the sequence `notSeenBy` ends none.
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
