import { dayMs } from '@shopscope/clock';
import { nameIn } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { SimulatedScan } from '../../domain/simulated-scan.ts';

/** The number of successful scans of a test store since the last reset of its workspace, or that reset. */
interface ScanCountDocument {
  /** Workspace and domain, or the workspace of a reset. */
  _id: string;
  workspaceId: string;
  count?: number;
  resetAt?: Date;
  forgetAt: Date;
}

/** profiles keeps a scanned test store for 90 days after its latest scan. Its next number is kept longer, because numbers only rise. */
const countKeptMs = 91 * dayMs;
/** No scan request and no dead letter is older. */
const resetKeptMs = 40 * dayMs;

/** The collection `test_scan_targets`. A workspace has a document for each test store that it has scanned, about a thousand at most. */
export const scanCountCollection = {
  indexes: [
    { key: { workspaceId: 1 }, options: {} },
    { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  shardKey: { _id: 1 },
  idBegins: 'workspaceId',
  scatters: { 'deleteMany workspaceId': 'a reset deletes the counts of a workspace' },
} as const satisfies CollectionDefinition;

export function createScanCountStore(db: Db) {
  const collection: Collection<ScanCountDocument> = db.collection(nameIn('test', 'scan_targets', '_'));

  return {
    /** Counts the scans. Returns their numbers in the order of the scans. A concurrent count of the same store conflicts. */
    async increment(scans: readonly SimulatedScan[], at: Date, tx: Tx): Promise<number[]> {
      if (scans.length === 0) return [];
      const ids = scans.map(idOf);
      const found = await collection.find({ _id: { $in: ids } }, { ...tx }).toArray();
      const counts = new Map(found.map(({ _id, count }) => [_id, count]));
      const numbers = ids.map((id) => {
        const number = (counts.get(id) ?? 0) + 1;
        counts.set(id, number);
        return number;
      });
      const forgetAt = after(at, countKeptMs);
      const operations = scans.map((scan, index) => ({
        updateOne: {
          filter: { _id: ids[index] as string },
          update: { $inc: { count: 1 }, $set: { forgetAt }, $setOnInsert: { workspaceId: scan.workspaceId } },
          upsert: true,
        },
      }));
      await collection.bulkWrite(operations, { ...tx });
      return numbers;
    },

    /** Deletes the counts of the workspace, and saves the time of the reset. */
    async reset(workspaceId: string, resetAt: Date, tx: Tx): Promise<void> {
      await collection.deleteMany({ workspaceId }, tx);
      const forgetAt = after(resetAt, resetKeptMs);
      await collection.insertOne({ _id: workspaceId, workspaceId, resetAt, forgetAt }, tx);
    },

    /** Returns the time of the last reset, 0 without one. A reset of the workspace at the same time conflicts. */
    async lastResetMs(workspaceId: string, at: Date, tx: Tx): Promise<number> {
      const update = { $setOnInsert: { workspaceId }, $max: { forgetAt: after(at, resetKeptMs) } };
      const options = { ...tx, upsert: true, returnDocument: 'after' } as const;
      const found = await collection.findOneAndUpdate({ _id: workspaceId }, update, options);
      return found?.resetAt?.getTime() ?? 0;
    },
  };
}

const after = (at: Date, ms: number) => new Date(at.getTime() + ms);
const idOf = ({ workspaceId, domain }: SimulatedScan) => `${workspaceId} ${domain}`;
