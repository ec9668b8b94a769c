import { type Environment, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { type Job, type JobKey, type JobState, liveStates, statesLeadingTo } from '../../domain/job.ts';
import type { JobStart } from '../../domain/scan.ts';
import {
  type JobDocument,
  type JobsPage,
  keyOf,
  keysIn,
  listQuery,
  ofScan,
  ofScanIndex,
  type ScanOfJobs,
  toDocument,
  toJob,
} from './job-document.ts';

export function createJobStore(db: Db, environment: Environment) {
  const collection: Collection<JobDocument> = db.collection(nameIn(environment, 'jobs', '_'));

  return {
    async insert(jobs: readonly Job[], tx: Tx): Promise<void> {
      if (jobs.length > 0) await collection.insertMany(jobs.map(toDocument), { ...tx });
    },

    /** Returns the job of the workspace, or null. */
    async find(workspaceId: string, id: string, options: Tx | { maxTimeMS: number }): Promise<Job | null> {
      return collection.findOne({ _id: id, workspaceId }, { ...options }).then((found) => found && toJob(found));
    },

    /** Returns jobs of several workspaces by their ids. A job of another workspace is absent. */
    async findAll(jobs: readonly Pick<JobKey, 'id' | 'workspaceId'>[], tx: Tx): Promise<Map<string, Job>> {
      const workspaceOf = new Map(jobs.map(({ id, workspaceId }) => [id, workspaceId]));
      const query = { _id: { $in: [...workspaceOf.keys()] }, workspaceId: { $in: [...new Set(workspaceOf.values())] } };
      const found = await collection.find(query, { ...tx }).toArray();
      const own = found.filter(({ _id, workspaceId }) => workspaceOf.get(_id) === workspaceId);
      return new Map(own.map((document) => [document._id, toJob(document)]));
    },

    /** Whether one of the ids belongs to a job of another workspace. */
    async hasForeign(jobs: readonly Pick<JobKey, 'id' | 'workspaceId'>[], maxTimeMS: number): Promise<boolean> {
      if (jobs.length === 0) return false;
      const foreign = jobs.map(({ id, workspaceId }) => ({ _id: id, workspaceId: { $ne: workspaceId } }));
      return (await collection.findOne({ $or: foreign }, { maxTimeMS, projection: { _id: 1 } })) !== null;
    },

    /**
     * Returns jobs of the workspace, newest first, after a position. It reads one snapshot, so a job that changes its state meanwhile
     * occurs once. It reads at most `limit` documents, and a few more entries of the index.
     */
    async listOfWorkspace(workspaceId: string, page: JobsPage, maxTimeMS: number): Promise<Job[]> {
      const { query, options } = listQuery(workspaceId, page);
      return (await collection.find(query, { ...options, maxTimeMS }).toArray()).map(toJob);
    },

    /** Returns the latest job of the charge per domain. A domain without a job is absent. */
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

    /** Changes jobs from requested to queued, or from requested to running if the scan is leased. */
    async attach(
      attached: readonly { job: JobKey; scanId: string; start: JobStart }[],
      at: Date,
      tx: Tx,
    ): Promise<void> {
      const operations = attached.map(({ job, scanId, start }) => {
        const startedAt = start.state === 'running' ? at : null;
        const filter = { ...keyOf(job), state: { $in: statesLeadingTo('queued') } };
        return { updateOne: { filter, update: { $set: { scanId, ...start, startedAt, dropMark: null } } } };
      });
      await collection.bulkWrite(operations, { ...tx });
    },

    /** Call it at the start of a lease. The queued jobs of the scan become running and count an attempt. */
    async start(scan: ScanOfJobs, at: Date, tx: Tx): Promise<void> {
      if (scan.workspaceIds.length === 0) return;
      await collection.updateMany(
        { ...ofScan(scan), state: 'queued' },
        [
          {
            $set: {
              state: 'running',
              attempts: { $add: ['$attempts', 1] },
              startedAt: { $ifNull: ['$startedAt', at] },
            },
          },
        ],
        { ...tx, hint: ofScanIndex },
      );
    },

    /** As {@link start}, for queued jobs whose scans start together. */
    async startAll(jobs: readonly JobKey[], at: Date, tx: Tx): Promise<void> {
      if (jobs.length === 0) return;
      const change = { $set: { state: 'running' as const, startedAt: at }, $inc: { attempts: 1 } };
      await collection.updateMany({ ...keysIn(jobs), state: 'queued' }, change, tx);
    },

    /** Call it after a lost attempt. The running jobs of the scan become queued. */
    async requeue(scan: ScanOfJobs, tx: Tx, options: { attemptUndone?: boolean } = {}): Promise<void> {
      if (scan.workspaceIds.length === 0) return;
      await collection.updateMany(
        { ...ofScan(scan), state: 'running' },
        { $set: { state: 'queued' }, ...(options.attemptUndone ? { $inc: { attempts: -1 } } : {}) },
        { ...tx, hint: ofScanIndex },
      );
    },

    /** Returns the workspace of the oldest live job of each scan. */
    async oldestWorkspaces(scans: readonly ScanOfJobs[]): Promise<Map<string, string>> {
      const found = await collection
        .find(
          {
            scanId: { $in: scans.map(({ id }) => id) },
            workspaceId: { $in: [...new Set(scans.flatMap(({ workspaceIds }) => workspaceIds))] },
            domain: { $in: scans.map(({ domain }) => domain) },
            state: { $in: [...liveStates] },
          },
          { projection: { scanId: 1, workspaceId: 1, createdAt: 1 }, hint: ofScanIndex },
        )
        .toArray();
      const newestFirst = found.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
      return new Map(newestFirst.map(({ scanId, workspaceId }) => [scanId as string, workspaceId]));
    },

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
