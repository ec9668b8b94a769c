import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Read } from './reads.ts';

/** The end of a workspace's sequence of events. */
interface SequenceDocument {
  /** The workspace id. */
  _id: string;
  last: number;
  /** It never decreases, so the events of a sequence are ordered by time too. */
  lastCreatedAt: Date;
  /** The last reset of the test tenant. */
  resetAt?: Date;
}

export const sequenceCollection = {
  indexes: [],
  shardKey: { _id: 1 },
  idBegins: 'workspaceId',
} as const satisfies CollectionDefinition;

export interface SequenceEnd {
  last: number;
  lastCreatedAt: Date;
  resetAt?: Date;
}

export type SequenceStore<E extends Environment> = Handles<E> & ReturnType<typeof sequenceStore<E>>;

/** Every command has the shard key. */
export const createSequenceStore = <E extends Environment>(db: Db, environment: E): SequenceStore<E> =>
  sequenceStore(db.collection<SequenceDocument>(nameIn(environment, 'sequences', '_')), environment);

function sequenceStore<E extends Environment>(collection: Collection<SequenceDocument>, environment: E) {
  return {
    environment,

    /**
     * Extends the sequences of workspaces by the given counts, or shrinks them by negative ones. Returns their new ends. Another transaction that extends one of them
     * conflicts until this one has ended: transactions of a workspace commit in the order of their sequences.
     */
    async extend(counts: ReadonlyMap<string, number>, now: Date, tx: Tx): Promise<Map<string, SequenceEnd>> {
      // In one order everywhere, so that two transactions conflict at their first common workspace, before they have done much work.
      const workspaceIds = [...counts.keys()].sort();
      const updates = workspaceIds.map((_id) => ({
        updateOne: {
          filter: { _id },
          update: { $inc: { last: counts.get(_id) ?? 0 }, $max: { lastCreatedAt: now } },
          upsert: true,
        },
      }));
      await collection.bulkWrite(updates, tx);
      const ends = await collection.find({ _id: { $in: workspaceIds } }, tx).toArray();
      return new Map(ends.map(({ _id, ...end }) => [_id, end]));
    },

    /** Saves the time of a reset. Transactions that extend the sequence conflict with this one. */
    async reset({ workspaceId }: Tenant<E>, resetAt: Date, tx: Tx): Promise<void> {
      const update = { $max: { resetAt }, $setOnInsert: { last: 0, lastCreatedAt: resetAt } };
      await collection.updateOne({ _id: workspaceId }, update, { ...tx, upsert: true });
    },

    /** Returns the last sequence of the workspace, 0 without events. */
    async last({ workspaceId }: Tenant<E>, read: Read): Promise<number> {
      return (await collection.findOne({ _id: workspaceId }, { ...read, projection: { last: 1 } }))?.last ?? 0;
    },

    /** Returns the last sequences of workspaces that have events. */
    async lasts(workspaceIds: readonly string[], maxTimeMS: number): Promise<Map<string, number>> {
      const options = { projection: { last: 1 }, maxTimeMS } as const;
      const found = await collection.find({ _id: { $in: [...workspaceIds] } }, options).toArray();
      return new Map(found.map(({ _id, last }) => [_id, last]));
    },

    /** Deletes the sequence of a deleted workspace. */
    async delete({ workspaceId }: Tenant<E>, maxTimeMS: number): Promise<{ deleted: number; isEmpty: true }> {
      const { deletedCount } = await collection.deleteOne({ _id: workspaceId }, { maxTimeMS });
      return { deleted: deletedCount, isEmpty: true };
    },
  };
}
