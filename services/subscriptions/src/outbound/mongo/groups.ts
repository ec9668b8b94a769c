import type { Environment, Handles, Tenant } from '@shopscope/environment';
import { nameIn } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db, Filter, UpdateFilter } from 'mongodb';
import type { GroupRef, StoreGroup } from '../../domain/store-group.ts';

/** The members that every group has. A watchlist has more, which only the caller of the store reads. */
interface GroupDocument extends Omit<StoreGroup, 'id'> {
  _id: string;
  /** The time of the deletion. The group is hidden from then on, and its stores are being deleted. Null before. */
  deletedAt: Date | null;
  /** The token of the call that created the group. Absent if the call had none. */
  requestToken?: string;
}

/** Groups of one workspace are together on one shard. */
export const groupCollection = {
  indexes: [
    { key: { workspaceId: 1, deletedAt: 1, _id: -1 }, options: {} },
    {
      key: { deletedAt: 1 },
      options: { name: 'deleted', partialFilterExpression: { deletedAt: { $type: 'date' } } },
    },
    {
      key: { workspaceId: 1, requestToken: 1 },
      options: { partialFilterExpression: { requestToken: { $type: 'string' } } },
    },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: 'ids are random',
  scatters: {
    'find deletedAt': 'the timer looks for hidden groups',
    'aggregate deletedAt': 'a metric counts the hidden groups',
  },
} as const satisfies CollectionDefinition;

export type GroupStore<E extends Environment, Group extends StoreGroup> = Handles<E> &
  ReturnType<typeof groupStore<E, Group>>;

/** The members of a group that a change may set. */
export type GroupChange<Group extends StoreGroup> = Partial<
  Omit<Group, 'id' | 'workspaceId' | 'storeCount' | 'createdAt' | 'updatedAt'>
>;

/** Every command has the shard key, except for the search of the timer for hidden groups. */
export const createGroupStore = <E extends Environment, Group extends StoreGroup>(
  db: Db,
  environment: E,
  name: 'lists' | 'watchlists',
): GroupStore<E, Group> =>
  groupStore<E, Group>(db.collection<GroupDocument>(nameIn(environment, name, '_')), environment);

function groupStore<E extends Environment, Group extends StoreGroup>(
  collection: Collection<GroupDocument>,
  environment: E,
) {
  const toGroup = ({ _id, deletedAt: _, requestToken: __, ...rest }: GroupDocument) =>
    ({ id: _id, ...rest }) as StoreGroup as Group;
  const existing = ({ workspaceId, id }: GroupRef<E>) => ({ _id: id, workspaceId, deletedAt: null });
  const change = async (ref: GroupRef<E>, update: UpdateFilter<GroupDocument>, tx: Tx) => {
    const found = await collection.findOneAndUpdate(existing(ref), update, { ...tx, returnDocument: 'after' });
    return found && toGroup(found);
  };

  return {
    environment,

    async insert({ id, ...group }: Group, requestToken: string, _tenant: Tenant<E>, tx: Tx): Promise<void> {
      const token = requestToken ? { requestToken } : {};
      await collection.insertOne({ _id: id, ...group, ...token, deletedAt: null }, tx);
    },

    /** Returns the group that a call with the token has created since then. */
    async findCreated({ workspaceId }: Tenant<E>, requestToken: string, since: Date, tx: Tx): Promise<Group | null> {
      const query = { workspaceId, requestToken, createdAt: { $gt: since }, deletedAt: null };
      const found = await collection.findOne(query, tx);
      return found && toGroup(found);
    },

    async find(ref: GroupRef<E>, options: Tx | { maxTimeMS: number }): Promise<Group | null> {
      const found = await collection.findOne(existing(ref), options);
      return found && toGroup(found);
    },

    /** Returns those of the groups that exist. */
    async findAll(refs: readonly GroupRef<E>[], maxTimeMS: number): Promise<Group[]> {
      if (refs.length === 0) return [];
      const workspaceIds = [...new Set(refs.map(({ workspaceId }) => workspaceId))];
      const ids = [...new Set(refs.map(({ id }) => id))];
      const query = { workspaceId: { $in: workspaceIds }, _id: { $in: ids }, deletedAt: null };
      // The other index would be asked for each workspace with each id.
      const options = { maxTimeMS, hint: { _id: 1 }, batchSize: ids.length + 1 } as const;
      return (await collection.find(query, options).toArray()).map(toGroup);
    },

    /** Returns groups, the newest first, after the group `afterId`. An empty text begins with the first group. */
    async list(tenant: Tenant<E>, afterId: string, limit: number, maxTimeMS: number): Promise<Group[]> {
      const behind: Filter<GroupDocument> = afterId ? { _id: { $lt: afterId } } : {};
      const query = { workspaceId: tenant.workspaceId, deletedAt: null, ...behind };
      return (await collection.find(query, { maxTimeMS }).sort({ _id: -1 }).limit(limit).toArray()).map(toGroup);
    },

    /** Returns the changed group, or null if there is none. */
    update: (ref: GroupRef<E>, members: GroupChange<Group>, now: Date, tx: Tx) =>
      change(ref, { $set: { ...(members as GroupChange<StoreGroup>), updatedAt: now } }, tx),

    /** Returns the changed group, or null if there is none. */
    addToStoreCount: (ref: GroupRef<E>, n: number, now: Date, tx: Tx) =>
      change(ref, { $inc: { storeCount: n }, $set: { updatedAt: now } }, tx),

    /** Hides the group. Returns it, or null if there is none. */
    hide: (ref: GroupRef<E>, now: Date, tx: Tx) => change(ref, { $set: { deletedAt: now } }, tx),

    /** Hides every group of the workspace. */
    async hideAll({ workspaceId }: Tenant<E>, now: Date, options: Tx | { maxTimeMS: number }): Promise<void> {
      await collection.updateMany({ workspaceId, deletedAt: null }, { $set: { deletedAt: now } }, options);
    },

    /** Whether the workspace has no group, and no hidden one either. */
    async isEmpty({ workspaceId }: Tenant<E>, maxTimeMS: number): Promise<boolean> {
      return (await collection.findOne({ workspaceId }, { maxTimeMS, projection: { _id: 1 } })) === null;
    },

    /** Returns the groups that were hidden first. */
    async listHidden(limit: number, maxTimeMS: number): Promise<{ ref: GroupRef<E>; deletedAt: Date }[]> {
      const hidden = { deletedAt: { $type: 'date' as const } };
      const found = collection.find(hidden, { maxTimeMS, projection: { workspaceId: 1, deletedAt: 1 } });
      return (await found.sort({ deletedAt: 1 }).limit(limit).toArray()).map(({ _id, workspaceId, deletedAt }) => ({
        ref: { environment, workspaceId, id: _id },
        deletedAt: deletedAt as Date,
      }));
    },

    /** Deletes a hidden group whose stores have been deleted. */
    async deleteHidden({ workspaceId, id }: GroupRef<E>, maxTimeMS: number): Promise<void> {
      await collection.deleteOne({ _id: id, workspaceId, deletedAt: { $type: 'date' } }, { maxTimeMS });
    },

    countHidden: (): Promise<number> => collection.countDocuments({ deletedAt: { $type: 'date' } }),
  };
}
