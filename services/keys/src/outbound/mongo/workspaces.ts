import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Workspace } from '../../domain/workspace.ts';

interface WorkspaceDocument extends Omit<Workspace, 'id' | 'suspendedAt'> {
  _id: string;
  /** Absent in documents that were written before workspaces could be suspended. */
  suspendedAt?: Date | null;
  /** Each creation of a key increments it, so that concurrent creations conflict. */
  keyCreations?: number;
}

export const workspaceIndexes = [
  { key: { planSlug: 1 }, options: {} },
  { key: { name: 1 }, options: {} },
] as const;

const setUpMarker = 'workspace_set_up';

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

export function createWorkspaceStore(db: Db) {
  const collection: Collection<WorkspaceDocument> = db.collection('workspaces');
  const markers: Collection<{ _id: string; setUps: number }> = db.collection('markers');

  return {
    async insert({ id, ...rest }: Workspace, tx: Tx): Promise<void> {
      await collection.insertOne({ _id: id, ...rest }, tx);
    },

    async find(id: string, maxTimeMS: number): Promise<Workspace | null> {
      const found = await collection.findOne({ _id: id }, { maxTimeMS });
      return found && toWorkspace(found);
    },

    /**
     * Makes concurrent set-ups conflict: each of them changes one document. The second transaction is repeated and finds the workspace
     * of the first.
     */
    async holdForSetUp(tx: Tx): Promise<void> {
      await markers.updateOne({ _id: setUpMarker }, { $inc: { setUps: 1 } }, { upsert: true, ...tx });
    },

    /** The oldest workspace of this name; names are not unique. */
    async findByName(name: string, tx: Tx): Promise<Workspace | null> {
      const found = await collection.findOne({ name }, { ...tx, sort: { _id: 1 } });
      return found && toWorkspace(found);
    },

    /**
     * Makes concurrent creations of keys in one workspace conflict: each of them changes the workspace's document. The second
     * transaction is repeated and counts the key of the first. Returns false when there is no such workspace.
     */
    async holdForNewKey(id: string, tx: Tx): Promise<boolean> {
      const { matchedCount } = await collection.updateOne({ _id: id }, { $inc: { keyCreations: 1 } }, tx);
      return matchedCount === 1;
    },

    async setPlan(id: string, planSlug: string, tx: Tx): Promise<Workspace | null> {
      const found = await collection.findOneAndUpdate(
        { _id: id },
        { $set: { planSlug } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toWorkspace(found);
    },

    /** Returns the workspace as it is after this call, or null when there is none. A repeated call changes nothing. */
    async setSuspended(
      id: string,
      suspendedAt: Date | null,
      tx: Tx,
    ): Promise<{ workspace: Workspace; changed: boolean } | null> {
      // Null matches an absent member as well.
      const changed = await collection.findOneAndUpdate(
        { _id: id, suspendedAt: suspendedAt ? null : { $type: 'date' } },
        { $set: { suspendedAt } },
        { ...tx, returnDocument: 'after' },
      );
      if (changed) return { workspace: toWorkspace(changed), changed: true };
      const found = await collection.findOne({ _id: id }, tx);
      return found && { workspace: toWorkspace(found), changed: false };
    },

    countOnPlan(planSlug: string, tx: Tx): Promise<number> {
      return collection.countDocuments({ planSlug }, tx);
    },

    /** Ordered by id, which is the order of creation. */
    async list(afterId: string, limit: number, maxTimeMS: number): Promise<Workspace[]> {
      const found = await collection
        .find({ _id: { $gt: afterId } }, { maxTimeMS })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toWorkspace);
    },
  };
}

function toWorkspace({ _id, suspendedAt, keyCreations: _, ...rest }: WorkspaceDocument): Workspace {
  return { id: _id, ...rest, suspendedAt: suspendedAt ?? null };
}
