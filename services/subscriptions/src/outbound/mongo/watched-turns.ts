import { type Environment, type Handles, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Rescan, WaitingStore } from '../../domain/rescan.ts';
import type { GroupRef } from '../../domain/store-group.ts';

/** The members of an entry of `watched_stores` that rescans use. */
interface TurnDocument {
  workspaceId: string;
  watchlistId: string;
  domain: string;
  turnAt: Date;
  observedAt: Date;
}

/** The members of a store that was just added. */
export const firstTurnOf = (addedAt: Date) => ({ turnAt: addedAt, observedAt: new Date(0) });

export const turnIndexes = [
  { key: { watchlistId: 1, turnAt: 1, domain: 1 }, options: {} },
  { key: { watchlistId: 1, observedAt: 1, domain: 1 }, options: {} },
] as const;

export type TurnStore<E extends Environment> = Handles<E> & ReturnType<typeof turnStore<E>>;

/** The order of rescans in `watched_stores`. Every command has the shard key, except the search for the next stores of a watchlist. */
export const createTurnStore = <E extends Environment>(db: Db, environment: E): TurnStore<E> =>
  turnStore(db.collection<TurnDocument>(nameIn(environment, 'watched_stores', '_')), environment);

function turnStore<E extends Environment>(collection: Collection<TurnDocument>, environment: E) {
  const some = ({ workspaceId, id }: GroupRef<E>, domains: readonly string[]) => ({
    domain: { $in: [...domains] },
    watchlistId: id,
    workspaceId,
  });
  const one = ({ workspaceId, id }: GroupRef<E>, domain: string) => ({ domain, watchlistId: id, workspaceId });

  return {
    environment,

    /** Returns the stores that are next, by their latest turn or their latest observation. */
    async next(
      { workspaceId, id }: GroupRef<E>,
      order: 'turnAt' | 'observedAt',
      limit: number,
      options: Tx | { maxTimeMS: number },
    ): Promise<WaitingStore[]> {
      const found = collection.find({ watchlistId: id, workspaceId }, { ...options });
      const rows = await found
        .sort({ [order]: 1, domain: 1 })
        .limit(limit)
        .toArray();
      return rows.map(({ domain, turnAt, observedAt }) => ({ domain, turnAt, observedAt }));
    },

    /** Records that the stores have a turn now. They go to the end of the order. */
    async take(ref: GroupRef<E>, domains: readonly string[], now: Date, tx: Tx): Promise<void> {
      await collection.updateMany(some(ref, domains), { $set: { turnAt: now, observedAt: now } }, { ...tx });
    },

    /** Restores the place that the store had before its turn at `turnAt`. */
    async returnTurn(
      ref: GroupRef<E>,
      { domain, startedAt: turnAt, before }: Pick<Rescan, 'domain' | 'startedAt' | 'before'>,
      tx: Tx,
    ): Promise<void> {
      await collection.updateOne({ ...one(ref, domain), turnAt }, { $set: before }, { ...tx });
    },

    /** Saves observations. An observation that is older than the stored one changes nothing. */
    async observed(ref: GroupRef<E>, times: ReadonlyMap<string, Date>, maxTimeMS: number): Promise<void> {
      const updates = [...times].map(([domain, observedAt]) => ({
        updateOne: { filter: one(ref, domain), update: { $max: { observedAt } } },
      }));
      if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false, maxTimeMS });
    },
  };
}
