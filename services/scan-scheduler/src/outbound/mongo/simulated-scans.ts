import { nameIn } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { ScanKey } from '../../domain/scan.ts';
import type { SimulatedScan } from '../../domain/simulated-scan.ts';
import { keysIn } from './scan-document.ts';

interface SimulatedScanDocument extends Omit<SimulatedScan, 'id'> {
  _id: string;
}

const timer = 'the timer visits workspaces in their order';

/** The collection `test_scans`. It has the scans that have not ended. */
export const simulatedScanCollection = {
  indexes: [{ key: { workspaceId: 1, dueAt: 1 } }],
  shardKey: { domain: 1 },
  uniqueId: 'the id is random',
  scatters: {
    'find workspaceId': timer,
    'find dueAt,workspaceId': timer,
    'deleteMany workspaceId': 'the deletion of a workspace',
  },
} as const satisfies CollectionDefinition;

export function createSimulatedScanStore(db: Db) {
  const collection: Collection<SimulatedScanDocument> = db.collection(nameIn('test', 'scans', '_'));

  return {
    async insert(scans: readonly SimulatedScan[], tx: Tx): Promise<void> {
      if (scans.length > 0) await collection.insertMany(scans.map(toDocument), { ...tx });
    },

    /** Returns the first scan of the next workspace behind `workspaceId`. Null if that was the last workspace. */
    async firstOfNext(workspaceId: string): Promise<Pick<SimulatedScan, 'workspaceId' | 'dueAt'> | null> {
      const order = { sort: { workspaceId: 1, dueAt: 1 } } as const;
      return collection.findOne({ workspaceId: { $gt: workspaceId } }, order);
    },

    /** Returns due scans of the workspace, the longest due first. */
    async listDue(workspaceId: string, at: Date, limit: number, tx: Tx): Promise<SimulatedScan[]> {
      const due = collection.find({ workspaceId, dueAt: { $lte: at } }, { ...tx, sort: { dueAt: 1 }, limit });
      return (await due.toArray()).map(toScan);
    },

    async listObserved(scans: readonly ScanKey[], tx: Tx): Promise<SimulatedScan[]> {
      const observed = collection.find({ ...keysIn(scans), state: 'observed' }, { ...tx });
      return (await observed.toArray()).map(toScan);
    },

    /** Saves the next state and its end. The transaction has read the scans, so a concurrent change of one of them conflicts. */
    async setState(
      scans: readonly SimulatedScan[],
      { state, dueAt }: Pick<SimulatedScan, 'state' | 'dueAt'>,
      tx: Tx,
    ): Promise<void> {
      if (scans.length > 0) await collection.updateMany(keysIn(scans), { $set: { state, dueAt } }, tx);
    },

    async delete(scans: readonly ScanKey[], tx: Tx): Promise<void> {
      if (scans.length > 0) await collection.deleteMany(keysIn(scans), tx);
    },

    /** Deletes those of the scans that are not observed. profiles merges the observed ones. */
    async deleteUnobserved(scans: readonly ScanKey[], tx: Tx): Promise<void> {
      if (scans.length === 0) return;
      await collection.deleteMany({ ...keysIn(scans), state: { $in: ['queued', 'running'] } }, tx);
    },

    async deleteAll(workspaceId: string, tx: Tx): Promise<void> {
      await collection.deleteMany({ workspaceId }, tx);
    },

    async hasAny(workspaceId: string, tx: Tx): Promise<boolean> {
      return (await collection.findOne({ workspaceId }, { ...tx, projection: { _id: 1 } })) !== null;
    },
  };
}

const toDocument = ({ id, ...rest }: SimulatedScan): SimulatedScanDocument => ({ _id: id, ...rest });
const toScan = ({ _id: id, ...rest }: SimulatedScanDocument): SimulatedScan => ({ id, ...rest });
