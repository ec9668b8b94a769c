import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db, UpdateFilter } from 'mongodb';

/** What a workspace uses, by quota. */
export type QuotaUses<Name extends string> = Record<Name, number>;

interface QuotaDocument {
  /** The workspace. */
  _id: string;
  /** The uses, by the names of their quotas. */
  [name: string]: string | number;
}

export const quotaCollection = {
  indexes: [],
  shardKey: { _id: 1 },
  idBegins: 'workspaceId',
} as const satisfies CollectionDefinition;

export type QuotaStore<E extends Environment, Name extends string> = Handles<E> &
  ReturnType<typeof quotaStore<E, Name>>;

/**
 * What each workspace uses.
 *
 * - Concurrency: every change of a use changes the document of the workspace in its transaction. Of two concurrent ones, one runs again.
 */
export const createQuotaStore = <E extends Environment, Name extends string>(
  db: Db,
  environment: E,
  names: readonly Name[],
): QuotaStore<E, Name> =>
  quotaStore(db.collection<QuotaDocument>(nameIn(environment, 'quotas', '_')), environment, names);

function quotaStore<E extends Environment, Name extends string>(
  collection: Collection<QuotaDocument>,
  environment: E,
  names: readonly Name[],
) {
  const add = (uses: Record<string, number>) => ({ $inc: uses }) as UpdateFilter<QuotaDocument>;
  const unused = Object.fromEntries(names.map((name) => [name, 0]));
  return {
    environment,

    /** Adds `n` to the use if it stays within the quota. Otherwise changes nothing and returns the use. */
    async take(
      { workspaceId }: Tenant<E>,
      name: Name,
      n: number,
      quota: number,
      tx: Tx,
    ): Promise<{ used: number } | undefined> {
      const within = { _id: workspaceId, [name]: { $lte: quota - n } };
      const { matchedCount } = await collection.updateOne(within, add({ [name]: n }), tx);
      if (matchedCount === 1) return undefined;
      const found = await collection.findOne({ _id: workspaceId }, tx);
      if (found || n > quota) return { used: Number(found?.[name] ?? 0) };
      // Of two concurrent first uses, one transaction conflicts and runs again.
      await collection.insertOne({ _id: workspaceId, ...unused, [name]: n }, tx);
      return undefined;
    },

    /** Reduces the use. */
    async release({ workspaceId }: Tenant<E>, uses: Partial<QuotaUses<Name>>, tx: Tx): Promise<void> {
      const reductions = Object.entries(uses).map(([name, n]) => [name, -Number(n)]);
      await collection.updateOne({ _id: workspaceId }, add(Object.fromEntries(reductions)), tx);
    },

    async delete(
      { workspaceId }: Tenant<E>,
      options: Tx | { maxTimeMS: number },
    ): Promise<{ deleted: number; isEmpty: true }> {
      const { deletedCount } = await collection.deleteOne({ _id: workspaceId }, options);
      return { deleted: deletedCount, isEmpty: true };
    },
  };
}

/** `publicName` is the name of the quota in the API (`plan.quotas`). */
export const quotaExceeded = (
  publicName: string,
  { quota, used, more }: { quota: number; used: number; more: number },
) =>
  new AppError(
    'invalid_request',
    `${publicName}: the plan allows ${quota}, the workspace uses ${used}, and this request would add ${more}`,
    { details: { field: publicName } },
  );
