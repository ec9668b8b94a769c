import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';

/** A workspace that has watchlists with rescans. */
interface QueueDocument {
  /** The workspace. */
  _id: string;
  /**
   * Workspaces are visited in the order of this time. Absent if no visit is needed. After a visit that leaves work, it
   * is the end of that visit, so that workspaces take turns. During a visit, it is the time at which another instance
   * may repeat it.
   */
  readyAt?: Date;
  /** The earliest time at which a watchlist needs the timer. */
  dueAt?: Date;
  /** The id of the latest visit. */
  visit?: string;
  /** It makes each change of the document conflict with the end of a visit. */
  changes: number;
}

/** Another instance may begin the visit of a candidate first. */
const maxCandidates = 10;

export const rescanQueueCollection = {
  indexes: [
    { key: { readyAt: 1 }, options: { sparse: true } },
    { key: { dueAt: 1 }, options: { sparse: true } },
  ],
  shardKey: { _id: 1 },
  idBegins: 'workspaceId',
  scatters: {
    'find readyAt': 'the timer looks for the workspaces that have waited longest',
    'find dueAt': 'a metric shows the latest visit',
    'aggregate dueAt': 'a metric counts late visits',
  },
} as const satisfies CollectionDefinition;

export type RescanQueue<E extends Environment> = Handles<E> & ReturnType<typeof rescanQueue<E>>;

/** The workspaces in the order of their next visits. Every command has the shard key, except the search of the timer. */
export const createRescanQueue = <E extends Environment>(db: Db, environment: E): RescanQueue<E> =>
  rescanQueue(db.collection<QueueDocument>(nameIn(environment, 'rescan_queue', '_')), environment);

function rescanQueue<E extends Environment>(collection: Collection<QueueDocument>, environment: E) {
  return {
    environment,

    /** The timer visits the workspace at this time or earlier, but not before workspaces that are waiting `now`. */
    async wake({ workspaceId }: Tenant<E>, at: Date, now: Date, tx: Tx): Promise<void> {
      const update = { $min: { readyAt: at > now ? at : now, dueAt: at }, $inc: { changes: 1 } };
      await collection.updateOne({ _id: workspaceId }, update, { ...tx, upsert: true });
    },

    /** Begins a visit of the workspace that has waited the longest. Another instance repeats it if it has not ended by `until`. */
    async beginVisit(now: Date, until: Date, visit: string, maxTimeMS: number): Promise<string | undefined> {
      const isReady = { readyAt: { $lte: now } };
      const ready = collection.find(isReady, { maxTimeMS, projection: { _id: 1 } }).sort({ readyAt: 1 });
      for (const { _id } of await ready.limit(maxCandidates).toArray()) {
        const update = { $set: { readyAt: until, visit } };
        const { matchedCount } = await collection.updateOne({ _id, ...isReady }, update, { maxTimeMS });
        if (matchedCount === 1) return _id;
      }
      return undefined;
    },

    /** Ends the visit. `dueAt`: when the next one is needed. Changes nothing if another visit has begun. */
    async endVisit({ workspaceId }: Tenant<E>, visit: string, dueAt: Date | null, now: Date, tx: Tx): Promise<void> {
      const update = dueAt
        ? { $set: { dueAt, readyAt: dueAt > now ? dueAt : now } }
        : { $unset: { dueAt: 1 as const, readyAt: 1 as const } };
      await collection.updateOne({ _id: workspaceId, visit }, { ...update, $inc: { changes: 1 } }, tx);
    },

    /** Returns the number of workspaces that need a visit, and since when. */
    async late(now: Date, maxTimeMS: number): Promise<{ count: number; since: Date | undefined }> {
      const isLate = { dueAt: { $lte: now } };
      const first = await collection.findOne(isLate, { sort: { dueAt: 1 }, projection: { dueAt: 1 }, maxTimeMS });
      return { count: first ? await collection.countDocuments(isLate, { maxTimeMS }) : 0, since: first?.dueAt };
    },

    /** Deletes the entry of a workspace without rescans. */
    async delete(
      { workspaceId }: Tenant<E>,
      options: Tx | { maxTimeMS: number },
    ): Promise<{ deleted: number; isEmpty: true }> {
      const { deletedCount } = await collection.deleteOne({ _id: workspaceId }, options);
      return { deleted: deletedCount, isEmpty: true };
    },
  };
}
