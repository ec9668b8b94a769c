import { isDuplicateKey } from '@shopscope/mongo';
import type { Db } from 'mongodb';

interface FreeWorkspaceDocument {
  /** Id of the person. */
  _id: string;
  /** Set when the keys service has created the workspace. */
  workspaceId?: string;
  leaseUntil: Date;
}

export type FreeWorkspaceStore = ReturnType<typeof createFreeWorkspaceStore>;

/** Which person has a free workspace. A lease makes concurrent creations for one person exclude each other. */
export function createFreeWorkspaceStore(db: Db) {
  const collection = db.collection<FreeWorkspaceDocument>('free_workspaces');
  return {
    /**
     * Claims the creation for some time. `busy`: another request creates the workspace. A workspace id: it exists in the
     * keys service already.
     */
    async claim(userId: string, now: Date, leaseMs: number): Promise<'claimed' | 'busy' | { workspaceId: string }> {
      const leaseUntil = new Date(now.getTime() + leaseMs);
      try {
        const before = await collection.findOneAndUpdate(
          { _id: userId, leaseUntil: { $lte: now } },
          { $set: { leaseUntil } },
          { upsert: true, returnDocument: 'before' },
        );
        return before?.workspaceId === undefined ? 'claimed' : { workspaceId: before.workspaceId };
      } catch (error) {
        if (isDuplicateKey(error)) return 'busy';
        throw error;
      }
    },
    async find(userId: string): Promise<string | undefined> {
      return (await collection.findOne({ _id: userId }))?.workspaceId;
    },
    async setWorkspace(userId: string, workspaceId: string): Promise<void> {
      await collection.updateOne({ _id: userId }, { $set: { workspaceId } });
    },
    /** Ends the claim. With `forget`, the person can have another free workspace. */
    async release(userId: string, options: { forget: boolean }): Promise<void> {
      if (options.forget) await collection.deleteOne({ _id: userId });
      else await collection.updateOne({ _id: userId }, { $set: { leaseUntil: new Date(0) } });
    },
  };
}
