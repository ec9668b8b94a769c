import { nameIn } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { SimulatedScan } from '../../domain/simulated-scan.ts';

/** The number of successful scans of a test store since the last reset of its workspace. */
interface ScanCountDocument {
  /** Workspace and domain. */
  _id: string;
  workspaceId: string;
  count: number;
}

/** The collection `test_scan_targets`. A workspace has a document for each test store that it has scanned, about a thousand at most. */
export const scanCountCollection = {
  indexes: [{ key: { workspaceId: 1 } }],
  shardKey: { _id: 1 },
  scatters: { 'deleteMany workspaceId': 'a reset deletes the counts of a workspace' },
} as const satisfies CollectionDefinition;

export function createScanCountStore(db: Db) {
  const collection: Collection<ScanCountDocument> = db.collection(nameIn('test', 'scan_targets', '_'));

  return {
    /** Counts the scans. Returns their numbers in the order of the scans. A concurrent count of the same store conflicts. */
    async increment(scans: readonly SimulatedScan[], tx: Tx): Promise<number[]> {
      if (scans.length === 0) return [];
      const ids = scans.map(idOf);
      const found = await collection.find({ _id: { $in: ids } }, { ...tx }).toArray();
      const counts = new Map(found.map(({ _id, count }) => [_id, count]));
      const numbers = ids.map((id) => {
        const number = (counts.get(id) ?? 0) + 1;
        counts.set(id, number);
        return number;
      });
      const operations = scans.map((scan, index) => ({
        updateOne: {
          filter: { _id: ids[index] as string },
          update: { $inc: { count: 1 }, $setOnInsert: { workspaceId: scan.workspaceId } },
          upsert: true,
        },
      }));
      await collection.bulkWrite(operations, { ...tx });
      return numbers;
    },

    async deleteOfWorkspace(workspaceId: string, tx: Tx): Promise<void> {
      await collection.deleteMany({ workspaceId }, tx);
    },
  };
}

const idOf = ({ workspaceId, domain }: SimulatedScan) => `${workspaceId} ${domain}`;
