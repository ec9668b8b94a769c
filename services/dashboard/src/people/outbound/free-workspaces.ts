import { type IndexDefinition, type Tx, unlessDuplicate } from '@shopscope/mongo';
import type { Db } from 'mongodb';

interface FreeWorkspaceDocument {
  /** The keyed hash of the person's mailbox at the time of the claim. It remains after the person deletes the account. */
  _id: string;
  /** Absent after the person deleted the account. */
  userId?: string;
  /** Set after the keys service created the workspace. */
  workspaceId?: string;
  leaseUntil: Date;
  /** Set together with the person's membership. The claim is then used up. */
  finishedAt?: Date;
}

/** A creation that this process may execute until the lease ends. */
export interface FreeWorkspaceClaim {
  id: string;
  leaseUntil: Date;
  /** The workspace that an earlier attempt created in the keys service. */
  workspaceId: string | undefined;
}

export interface FreeWorkspaceOwner {
  userId: string;
  /** The keyed hash of the mailbox of the person's verified address. */
  addressHash: string;
}

/** A person has at most one claim, even after a change of the address. */
export const freeWorkspaceIndexes: readonly IndexDefinition[] = [
  { key: { userId: 1 }, options: { unique: true, partialFilterExpression: { userId: { $exists: true } } } },
];

/** The workspace of a claim, if the same person takes the claim again. Another person who now has the address starts without one. */
const ownWorkspace = (userId: string) => ({ $cond: [{ $eq: ['$userId', userId] }, '$workspaceId', '$$REMOVE'] });

export type FreeWorkspaceStore = ReturnType<typeof createFreeWorkspaceStore>;

/** Records which people and which addresses have had a free workspace. A lease serializes concurrent creations. */
export function createFreeWorkspaceStore(db: Db) {
  const collection = db.collection<FreeWorkspaceDocument>('free_workspaces');
  const findOwn = ({ userId, addressHash }: FreeWorkspaceOwner) =>
    collection.find({ $or: [{ userId }, { _id: addressHash }] }).toArray();

  return {
    /** `busy`: another request creates the workspace. `finished`: the person or the address already had a workspace. */
    async claim(
      owner: FreeWorkspaceOwner,
      now: Date,
      leaseMs: number,
    ): Promise<FreeWorkspaceClaim | 'busy' | 'finished'> {
      const { userId, addressHash } = owner;
      const found = await findOwn(owner);
      if (found.some(({ finishedAt }) => finishedAt)) return 'finished';
      const id = found.find((row) => row.userId === userId)?._id ?? addressHash;
      const leaseUntil = new Date(now.getTime() + leaseMs);
      const claimed = await unlessDuplicate(
        collection.findOneAndUpdate(
          { _id: id, leaseUntil: { $lte: now }, finishedAt: { $exists: false } },
          [{ $set: { leaseUntil, userId, workspaceId: ownWorkspace(userId) } }],
          { upsert: true, returnDocument: 'after' },
        ),
      );
      return claimed ? { id, leaseUntil, workspaceId: claimed.workspaceId } : 'busy';
    },
    async isFinished(owner: FreeWorkspaceOwner): Promise<boolean> {
      return (await findOwn(owner)).some(({ finishedAt }) => finishedAt);
    },
    /** The person's claim, for an export. */
    async findByPerson(userId: string): Promise<{ workspace_id: string | null; created_at: Date | null } | undefined> {
      const found = await collection.findOne({ userId });
      return found ? { workspace_id: found.workspaceId ?? null, created_at: found.finishedAt ?? null } : undefined;
    },
    async setWorkspace({ id, leaseUntil }: FreeWorkspaceClaim, workspaceId: string): Promise<void> {
      await collection.updateOne({ _id: id, leaseUntil }, { $set: { workspaceId } });
    },
    /** Uses the claim up. Resolves to false if another request holds the lease. */
    async finish({ id, leaseUntil }: FreeWorkspaceClaim, workspaceId: string, now: Date, tx: Tx): Promise<boolean> {
      const claimed = { _id: id, leaseUntil, workspaceId, finishedAt: { $exists: false } };
      return (await collection.updateOne(claimed, { $set: { finishedAt: now } }, tx)).matchedCount === 1;
    },
    /** Ends the lease. The next request continues the creation. */
    async release({ id, leaseUntil }: FreeWorkspaceClaim): Promise<void> {
      await collection.updateOne({ _id: id, leaseUntil }, { $set: { leaseUntil: new Date(0) } });
    },
    /** Called when a person deletes the account. A claim that is used up keeps only the hash. */
    async forgetPerson(userId: string, tx: Tx): Promise<void> {
      await collection.deleteOne({ userId, finishedAt: { $exists: false } }, tx);
      await collection.updateOne({ userId }, { $unset: { userId: '', workspaceId: '' } }, tx);
    },
  };
}
