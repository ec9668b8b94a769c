import { daySeconds } from '@shopscope/clock';
import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db, WithoutId } from 'mongodb';
import type { Rescan } from '../../domain/rescan.ts';
import type { GroupRef } from '../../domain/store-group.ts';

interface RescanDocument extends Omit<Rescan, 'chargeId'> {
  /** The charge id. */
  _id: string;
}

/** Rescans are kept for this time. Their scans have ended long before. */
const keptDays = 7;

export const rescanCollection = {
  indexes: [
    { key: { workspaceId: 1, state: 1, retryAt: 1 }, options: {} },
    { key: { workspaceId: 1, watchlistId: 1, domain: 1 }, options: {} },
    { key: { workspaceId: 1, jobId: 1 }, options: {} },
    {
      key: { workspaceId: 1, isWithdrawn: 1, withdrawAt: 1 },
      options: { name: 'withdrawn', partialFilterExpression: { isWithdrawn: true } },
    },
    { key: { startedAt: 1 }, options: { expireAfterSeconds: keptDays * daySeconds } },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: 'charge ids are derived from the workspace',
} as const satisfies CollectionDefinition;

export type RescanStore<E extends Environment> = Handles<E> & ReturnType<typeof rescanStore<E>>;

/** Every command has the shard key. */
export const createRescanStore = <E extends Environment>(db: Db, environment: E): RescanStore<E> =>
  rescanStore(db.collection<RescanDocument>(nameIn(environment, 'rescans', '_')), environment);

function rescanStore<E extends Environment>(collection: Collection<RescanDocument>, environment: E) {
  const one = ({ workspaceId, chargeId }: Pick<Rescan, 'workspaceId' | 'chargeId'>) => ({ _id: chargeId, workspaceId });
  const ofWatchlist = ({ workspaceId, id }: GroupRef<E>) => ({ workspaceId, watchlistId: id });
  /** A rescan without a job is canceled at once, also during its execution. One with a job ends after its execution. */
  const withdrawal = (now: Date) => {
    const retryAt = { $cond: [{ $eq: ['$jobId', null] }, now, '$retryAt'] };
    return [{ $set: { isWithdrawn: true, withdrawAt: now, retryAt } }];
  };

  return {
    environment,

    async insert(rescans: readonly Rescan[], _tenant: Tenant<E>, tx: Tx): Promise<void> {
      const documents = rescans.map(({ chargeId, ...rescan }) => ({ _id: chargeId, ...rescan }));
      if (documents.length > 0) await collection.insertMany(documents, { ...tx });
    },

    /** Returns rescans whose execution has not ended, and gives them to the caller until `until`. */
    async takeUnfinished({ workspaceId }: Tenant<E>, now: Date, until: Date, limit: number, maxTimeMS: number) {
      const query = { workspaceId, state: 'started' as const, retryAt: { $lte: now } };
      const found = await collection.find(query, { maxTimeMS }).sort({ retryAt: 1 }).limit(limit).toArray();
      const taken: Rescan[] = [];
      for (const { _id, retryAt } of found) {
        const update = { $set: { retryAt: until }, $inc: { attempts: 1 } };
        const filter = { _id, workspaceId, state: 'started' as const, retryAt };
        const mine = await collection.findOneAndUpdate(filter, update, { maxTimeMS, returnDocument: 'after' });
        if (mine) taken.push(toRescan(mine));
      }
      return taken;
    },

    /** Returns when the next execution or cancellation may begin. */
    async nextWork({ workspaceId }: Tenant<E>, tx: Tx): Promise<Date[]> {
      const started = { workspaceId, state: 'started' as const };
      const withdrawn = { workspaceId, isWithdrawn: true, state: 'requested' as const };
      const retry = await collection.findOne(started, { ...tx, sort: { retryAt: 1 }, projection: { retryAt: 1 } });
      const options = { ...tx, sort: { withdrawAt: 1 }, projection: { withdrawAt: 1 } } as const;
      const cancellation = await collection.findOne(withdrawn, options);
      return [retry?.retryAt ?? [], cancellation?.withdrawAt ?? []].flat();
    },

    /** Whether an execution of the watchlist has not ended. */
    async hasStarted(ref: GroupRef<E>, tx: Tx): Promise<boolean> {
      return (await collection.findOne({ ...ofWatchlist(ref), state: 'started' }, { ...tx })) !== null;
    },

    /** Returns how many rescans of the watchlist that began before then have not ended their execution, at most `limit`. */
    async countStarted(ref: GroupRef<E>, before: Date, limit: number, tx: Tx): Promise<number> {
      const query = { ...ofWatchlist(ref), state: 'started' as const, startedAt: { $lt: before } };
      return collection.countDocuments(query, { ...tx, limit });
    },

    /** Saves the job before it is requested. Throws if the rescan has ended or was withdrawn. */
    async setJob(rescan: Rescan, jobId: string, maxTimeMS: number): Promise<void> {
      const query = { ...one(rescan), isWithdrawn: false };
      const { matchedCount } = await collection.updateOne(query, { $set: { jobId } }, { maxTimeMS });
      if (matchedCount === 0) throw new Error('the rescan has ended or was withdrawn');
    },

    /** Saves the end of an execution. Returns whether the rescan is still as the execution found it. */
    async set(rescan: Rescan, members: Partial<WithoutId<RescanDocument>>, tx: Tx): Promise<boolean> {
      const filter = { ...one(rescan), state: rescan.state };
      return (await collection.updateOne(filter, { $set: members }, { ...tx })).matchedCount > 0;
    },

    /** Returns whether the rescan existed, as the execution found it. */
    async delete(rescan: Rescan, tx: Tx): Promise<boolean> {
      const { state, jobId } = rescan;
      return (await collection.deleteOne({ ...one(rescan), state, jobId }, { ...tx })).deletedCount > 0;
    },

    /** Withdraws the rescans of stores, or of the whole watchlist. Returns whether there are any. */
    async withdraw(ref: GroupRef<E>, domains: readonly string[] | undefined, now: Date, tx: Tx): Promise<boolean> {
      const query = { ...ofWatchlist(ref), ...(domains && { domain: { $in: [...domains] } }) };
      return (await collection.updateMany(query, withdrawal(now), { ...tx })).matchedCount > 0;
    },

    /** Withdraws the rescans of the watchlist whose execution has not ended. Returns whether there are any. */
    async withdrawStarted(ref: GroupRef<E>, now: Date, tx: Tx): Promise<boolean> {
      const query = { ...ofWatchlist(ref), state: 'started' as const };
      return (await collection.updateMany(query, withdrawal(now), { ...tx })).matchedCount > 0;
    },

    /** Withdraws all rescans of a deleted workspace. Returns whether any was not withdrawn before. */
    async withdrawAll({ workspaceId }: Tenant<E>, now: Date, tx: Tx): Promise<boolean> {
      const query = { workspaceId, isWithdrawn: false };
      return (await collection.updateMany(query, withdrawal(now), { ...tx })).matchedCount > 0;
    },

    async isEmpty({ workspaceId }: Tenant<E>, maxTimeMS: number): Promise<boolean> {
      return (await collection.findOne({ workspaceId }, { maxTimeMS, projection: { _id: 1 } })) === null;
    },

    /** Returns withdrawn rescans whose execution has ended. */
    async listWithdrawn({ workspaceId }: Tenant<E>, now: Date, limit: number, maxTimeMS: number): Promise<Rescan[]> {
      const query = { workspaceId, isWithdrawn: true, withdrawAt: { $lte: now }, state: 'requested' as const };
      return (await collection.find(query, { maxTimeMS }).limit(limit).toArray()).map(toRescan);
    },

    /** Deletes the rescans of jobs that have ended. Those whose execution has not ended are kept. */
    async deleteEnded({ workspaceId }: Tenant<E>, jobIds: readonly string[], maxTimeMS: number): Promise<void> {
      await collection.deleteMany({ workspaceId, jobId: { $in: [...jobIds] }, state: 'requested' }, { maxTimeMS });
    },

    /** Deletes at most `limit` rescans of a deleted workspace. */
    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}

const toRescan = ({ _id, ...rescan }: RescanDocument): Rescan => ({ chargeId: _id, ...rescan });
