import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { QuotaName, QuotaUse } from '../../domain/quota.ts';

interface QuotaDocument extends QuotaUse {
  /** The workspace. */
  _id: string;
}

export const quotaShardKey = { _id: 1 } as const;

export type QuotaStore<E extends Environment> = Handles<E> & ReturnType<typeof quotaStore<E>>;

/** What each workspace uses. Every change of a group or of its stores changes the document in its transaction. */
export const createQuotaStore = <E extends Environment>(db: Db, environment: E): QuotaStore<E> =>
  quotaStore(db.collection<QuotaDocument>(nameIn(environment, 'quotas', '_')), environment);

const unused: QuotaUse = { lists: 0, listStores: 0, watchlists: 0, watchedStores: 0 };

function quotaStore<E extends Environment>(collection: Collection<QuotaDocument>, environment: E) {
  return {
    environment,

    /** Adds `n` to the use if it stays within the quota. Otherwise changes nothing and returns the use. */
    async take(
      { workspaceId }: Tenant<E>,
      name: QuotaName,
      n: number,
      quota: number,
      tx: Tx,
    ): Promise<{ used: number } | undefined> {
      const within = { _id: workspaceId, [name]: { $lte: quota - n } };
      const { matchedCount } = await collection.updateOne(within, { $inc: { [name]: n } }, tx);
      if (matchedCount === 1) return undefined;
      const found = await collection.findOne({ _id: workspaceId }, tx);
      if (found || n > quota) return { used: found?.[name] ?? 0 };
      // Of two concurrent first groups, one transaction conflicts and runs again.
      await collection.insertOne({ _id: workspaceId, ...unused, [name]: n }, tx);
      return undefined;
    },

    /** Reduces the use. */
    async release({ workspaceId }: Tenant<E>, uses: Partial<QuotaUse>, tx: Tx): Promise<void> {
      const reductions = Object.fromEntries(Object.entries(uses).map(([name, n]) => [name, -n]));
      await collection.updateOne({ _id: workspaceId }, { $inc: reductions }, tx);
    },

    async delete({ workspaceId }: Tenant<E>, maxTimeMS: number): Promise<{ deleted: number; isEmpty: true }> {
      const { deletedCount } = await collection.deleteOne({ _id: workspaceId }, { maxTimeMS });
      return { deleted: deletedCount, isEmpty: true };
    },
  };
}
