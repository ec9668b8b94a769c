import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { type EndState, type Job, type JobError, type JobState, liveStates, statesBefore } from '../../domain/job.ts';
import type { Joining } from '../../domain/scan.ts';
import { type JobDocument, toDocument, toJob } from './job-document.ts';

export type JobStore = ReturnType<typeof createJobStore>;

export function createJobStore(db: Db, options: { retentionMs: number }) {
  const collection: Collection<JobDocument> = db.collection('jobs');

  return {
    async insert(job: Job, tx: Tx): Promise<void> {
      await collection.insertOne(toDocument(job), tx);
    },

    find(id: string, tx: Tx): Promise<Job | null> {
      return collection.findOne({ _id: id }, tx).then((found) => found && toJob(found));
    },

    async findOfWorkspace(workspaceId: string, ids: readonly string[], maxTimeMS: number): Promise<Job[]> {
      return (await collection.find({ _id: { $in: [...ids] }, workspaceId }, { maxTimeMS }).toArray()).map(toJob);
    },

    /** The latest job of the charge for each of the domains that has one. */
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

    /** requested → queued, or running when the scan is being carried out. */
    async attach(id: string, scanId: string, joining: Joining, at: Date, tx: Tx): Promise<void> {
      const startedAt = joining.state === 'running' ? at : null;
      await collection.updateOne(
        { _id: id, state: { $in: statesBefore('queued') } },
        { $set: { scanId, ...joining, startedAt, dropMark: null } },
        tx,
      );
    },

    /** A lease begins: every job of the scan that is queued runs, one attempt further. */
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

    /** A lease ended without an observation: the scan's running jobs wait again. */
    async requeue(scanId: string, tx: Tx, options: { attemptUndone?: boolean } = {}): Promise<void> {
      await collection.updateMany(
        { scanId, state: 'running' },
        { $set: { state: 'queued' }, ...(options.attemptUndone ? { $inc: { attempts: -1 } } : {}) },
        tx,
      );
    },

    /** Ends those jobs of the scan that `which` selects. Returns how many, by their attempts. */
    async end(
      scanId: string,
      which: EndingJobs,
      to: EndState,
      error: JobError | null,
      at: Date,
      tx: Tx,
    ): Promise<number> {
      const ended = await collection.updateMany(
        { scanId, state: { $in: statesBefore(to) }, ...queryOf(which) },
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

    /** Live jobs that still wait for the scan: how many, and the most attempts among them. */
    async leftOn(scanId: string, tx: Tx): Promise<{ count: number; attempts: number }> {
      const [left] = await collection
        .aggregate<{ count: number; attempts: number }>(
          [
            { $match: { scanId, state: { $in: [...liveStates] } } },
            { $group: { _id: null, count: { $sum: 1 }, attempts: { $max: '$attempts' } } },
          ],
          tx,
        )
        .toArray();
      return left ?? { count: 0, attempts: 0 };
    },

    /** The live jobs of one scan wait for another from now on. */
    async moveOn(fromScanId: string, toScanId: string, tx: Tx): Promise<void> {
      await collection.updateMany(
        { scanId: fromScanId, state: { $in: [...liveStates] } },
        { $set: { scanId: toScanId, state: 'queued' } },
        tx,
      );
    },

    /** Live jobs by state. */
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

/** Jobs that an observation of this sequence satisfies, or that have used up their attempts. */
export type EndingJobs = { seenBySequence: number } | { withAttempts: number };

const queryOf = (which: EndingJobs) =>
  'seenBySequence' in which
    ? { minSequence: { $lte: which.seenBySequence } }
    : { attempts: { $gte: which.withAttempts } };
