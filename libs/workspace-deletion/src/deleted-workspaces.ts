import { dayMs, minuteMs } from '@shopscope/clock';
import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';

interface DeletedWorkspaceDocument {
  /** The workspace. */
  _id: string;
  deletedAt: Date;
  recordedAt: Date;
  /** Another instance may continue the deletion from this time on. Absent if no data is left. */
  claimedUntil?: Date;
  /** When the record is deleted. Absent while data may be left. */
  forgetAt?: Date;
}

/**
 * A transaction that began before the record does not see it. MongoDB ends a transaction within 74 s, and the clocks of two instances differ
 * by less than 8 s. Data that is deleted after this time therefore never appears again.
 */
const settlesAfterMs = 3 * minuteMs;

/** A fact arrives at most 37 days late: topics keep events for 7 days and dead letters for 30 days. */
export const deletionRecordDays = 90;

export const deletedWorkspaceCollection = {
  indexes: [
    { key: { claimedUntil: 1 }, options: { partialFilterExpression: { claimedUntil: { $type: 'date' } } } },
    { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  unsharded: 'one small document per deleted workspace, for 90 days',
} as const satisfies CollectionDefinition;

export interface ClaimedDeletion<out E extends Environment> {
  tenant: Tenant<E>;
  deletedAt: Date;
  /** From this time on, nothing creates data of the workspace. */
  settlesAt: Date;
}

export type DeletedWorkspaceStore<E extends Environment> = Handles<E> & ReturnType<typeof deletedWorkspaceStore<E>>;

/** The deleted workspaces. */
export const createDeletedWorkspaceStore = <E extends Environment>(db: Db, environment: E): DeletedWorkspaceStore<E> =>
  deletedWorkspaceStore(
    db.collection<DeletedWorkspaceDocument>(nameIn(environment, 'deleted_workspaces', '_')),
    environment,
  );

function deletedWorkspaceStore<E extends Environment>(
  collection: Collection<DeletedWorkspaceDocument>,
  environment: E,
) {
  return {
    environment,

    /** Records a deletion. A repeated call changes nothing. */
    async record({ workspaceId }: Tenant<E>, deletedAt: Date, now: Date, maxTimeMS: number): Promise<void> {
      const $setOnInsert = { deletedAt, recordedAt: now, claimedUntil: now };
      await collection.updateOne({ _id: workspaceId }, { $setOnInsert }, { upsert: true, maxTimeMS });
    },

    /** Returns those of the workspaces that are deleted. */
    async among(workspaceIds: readonly string[], tx: Tx): Promise<ReadonlySet<string>> {
      const query = { _id: { $in: [...workspaceIds] } };
      const found = await collection.find(query, { ...tx, projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** Claims the deletion that waits longest until `claimedUntil`, or returns null if none waits. */
    async claim(now: Date, claimedUntil: Date, maxTimeMS: number): Promise<ClaimedDeletion<E> | null> {
      const found = await collection.findOneAndUpdate(
        { claimedUntil: { $type: 'date', $lte: now } },
        { $set: { claimedUntil } },
        { sort: { claimedUntil: 1 }, maxTimeMS },
      );
      if (!found) return null;
      const { _id: workspaceId, deletedAt, recordedAt } = found;
      const settlesAt = new Date(recordedAt.getTime() + settlesAfterMs);
      return { tenant: { workspaceId, environment }, deletedAt, settlesAt };
    },

    /** Ends the claim. The deletion continues at `at`. */
    async continueAt({ workspaceId }: Tenant<E>, at: Date, maxTimeMS: number): Promise<void> {
      const query = { _id: workspaceId, claimedUntil: { $type: 'date' as const } };
      await collection.updateOne(query, { $set: { claimedUntil: at } }, { maxTimeMS });
    },

    /** Ends the deletion, because no data is left. */
    async finish({ workspaceId }: Tenant<E>, now: Date, maxTimeMS: number): Promise<void> {
      const forgetAt = new Date(now.getTime() + deletionRecordDays * dayMs);
      const update = { $unset: { claimedUntil: '' as const }, $set: { forgetAt } };
      await collection.updateOne({ _id: workspaceId }, update, { maxTimeMS });
    },

    /** Returns the time of the earliest deletion that has not ended, or undefined if there is none. */
    async oldest(maxTimeMS: number): Promise<Date | undefined> {
      const open = { claimedUntil: { $type: 'date' as const } };
      const found = await collection.findOne(open, { sort: { deletedAt: 1 }, projection: { deletedAt: 1 }, maxTimeMS });
      return found?.deletedAt;
    },
  };
}
