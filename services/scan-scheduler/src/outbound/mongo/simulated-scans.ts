import { nameIn } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { SimulatedScan } from '../../domain/simulated-scan.ts';

interface SimulatedScanDocument extends Omit<SimulatedScan, 'id'> {
  _id: string;
}

/** The name in the test environment. There are no such scans in the live one. */
export const simulatedScans = nameIn('test', 'simulated_scans', '_');

export const simulatedScanCollection = {
  indexes: [{ key: { workspaceId: 1, dueAt: 1 } }],
  unsharded: 'it has only the scans that have not ended, each for seconds',
} as const satisfies CollectionDefinition;

export function createSimulatedScanStore(db: Db) {
  const collection: Collection<SimulatedScanDocument> = db.collection(simulatedScans);
  const idsOf = (scans: readonly Pick<SimulatedScan, 'id'>[]) => ({ _id: { $in: scans.map(({ id }) => id) } });

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

    async listObserved(ids: readonly string[], tx: Tx): Promise<SimulatedScan[]> {
      const observed = collection.find({ _id: { $in: [...ids] }, state: 'observed' }, { ...tx });
      return (await observed.toArray()).map(toScan);
    },

    /** Saves the next state and its end. The transaction has read the scans, so a concurrent change of one of them conflicts. */
    async setState(
      scans: readonly SimulatedScan[],
      { state, dueAt }: Pick<SimulatedScan, 'state' | 'dueAt'>,
      tx: Tx,
    ): Promise<void> {
      if (scans.length > 0) await collection.updateMany(idsOf(scans), { $set: { state, dueAt } }, tx);
    },

    async delete(scans: readonly Pick<SimulatedScan, 'id'>[], tx: Tx): Promise<void> {
      if (scans.length > 0) await collection.deleteMany(idsOf(scans), tx);
    },

    /** Deletes those of the scans that are not observed. profiles merges the observed ones. */
    async deleteUnobserved(ids: readonly string[], tx: Tx): Promise<void> {
      if (ids.length === 0) return;
      await collection.deleteMany({ _id: { $in: [...ids] }, state: { $in: ['queued', 'running'] } }, tx);
    },

    async hasAny(workspaceId: string, tx: Tx): Promise<boolean> {
      return (await collection.findOne({ workspaceId }, { ...tx, projection: { _id: 1 } })) !== null;
    },
  };
}

const toDocument = ({ id, ...rest }: SimulatedScan): SimulatedScanDocument => ({ _id: id, ...rest });
const toScan = ({ _id: id, ...rest }: SimulatedScanDocument): SimulatedScan => ({ id, ...rest });
