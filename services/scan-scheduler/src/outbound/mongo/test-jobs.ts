import { nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { type JobState, jobStates, liveStates } from '../../domain/job.ts';
import type { ScanKey } from '../../domain/scan.ts';
import { type JobDocument, keysIn, toJob } from './job-document.ts';

const endedStates: readonly JobState[] = jobStates.filter((state) => !liveStates.includes(state));

/** The deletion of the jobs of a workspace in the test environment, in the collection `test_jobs`. */
export function createTestJobStore(db: Db) {
  const collection: Collection<JobDocument> = db.collection(nameIn('test', 'jobs', '_'));

  return {
    /** Deletes at most `limit` live jobs. Returns their number, and their scans. */
    async deleteLive(workspaceId: string, limit: number, tx: Tx): Promise<{ count: number; scans: ScanKey[] }> {
      const live = collection.find({ workspaceId, state: { $in: [...liveStates] } }, { ...tx, limit });
      const jobs = (await live.toArray()).map(toJob);
      if (jobs.length > 0) await collection.deleteMany(keysIn(jobs), tx);
      const scans = jobs.flatMap(({ scanId: id, domain }) => (id === null ? [] : [{ id, domain }]));
      return { count: jobs.length, scans };
    },

    /** Deletes the ended jobs. It is not atomic: a call that takes too long has deleted some of them. */
    async deleteEnded(workspaceId: string, maxTimeMS: number): Promise<void> {
      await collection.deleteMany({ workspaceId, state: { $in: [...endedStates] } }, { maxTimeMS });
    },
  };
}
