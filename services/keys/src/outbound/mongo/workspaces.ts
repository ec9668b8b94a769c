import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Workspace } from '../../domain/workspace.ts';

interface WorkspaceDocument extends Omit<Workspace, 'id'> {
  _id: string;
  /** Absent while the workspace exists. A deleted workspace is hidden, and its document stays. */
  deletedAt?: Date | null;
  /** Each creation of a key increments it, so that concurrent creations conflict. */
  keyCreations?: number;
}

export const workspaceIndexes = [
  { key: { planSlug: 1 }, options: {} },
  { key: { name: 1 }, options: {} },
] as const;

const setUpMarker = 'workspace_set_up';

/** In a filter, null also matches an absent member. */
const existing = { deletedAt: null };

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

export function createWorkspaceStore(db: Db) {
  const collection: Collection<WorkspaceDocument> = db.collection('workspaces');
  const markers: Collection<{ _id: string; setUps: number }> = db.collection('markers');

  return {
    async insert({ id, ...rest }: Workspace, tx: Tx): Promise<void> {
      await collection.insertOne({ _id: id, ...rest }, tx);
    },

    async find(id: string, maxTimeMS: number): Promise<Workspace | null> {
      // The filter has only the id, which is faster for MongoDB. Every verification of a key reads a workspace.
      const found = await collection.findOne({ _id: id }, { maxTimeMS });
      return found && !found.deletedAt ? toWorkspace(found) : null;
    },

    async isDeleted(id: string, maxTimeMS: number): Promise<boolean> {
      const found = await collection.findOne({ _id: id }, { maxTimeMS, projection: { deletedAt: 1 } });
      return Boolean(found?.deletedAt);
    },

    /** Whether the workspace exists or was deleted. */
    async isKnown(id: string, tx: Tx): Promise<boolean> {
      return (await collection.countDocuments({ _id: id }, tx)) === 1;
    },

    /**
     * Makes concurrent set-ups conflict, because all of them change the same document. The second transaction is repeated and finds
     * the workspace of the first.
     */
    async holdForSetUp(tx: Tx): Promise<void> {
      await markers.updateOne({ _id: setUpMarker }, { $inc: { setUps: 1 } }, { upsert: true, ...tx });
    },

    /** Returns the oldest workspace with this name. Names are not unique. */
    async findByName(name: string, tx: Tx): Promise<Workspace | null> {
      const found = await collection.findOne({ name, ...existing }, { ...tx, sort: { createdAt: 1, _id: 1 } });
      return found && toWorkspace(found);
    },

    /**
     * Makes concurrent creations of keys in one workspace conflict, because all of them change its document. The second transaction is
     * repeated and counts the key of the first. Returns false if there is no such workspace.
     */
    async holdForNewKey(id: string, tx: Tx): Promise<boolean> {
      const { matchedCount } = await collection.updateOne({ _id: id, ...existing }, { $inc: { keyCreations: 1 } }, tx);
      return matchedCount === 1;
    },

    /** Returns the workspace before and after this call, or null if there is none. */
    async change(
      id: string,
      change: Partial<Pick<Workspace, 'name' | 'planSlug'>>,
      tx: Tx,
    ): Promise<{ before: Workspace; after: Workspace } | null> {
      const options = { ...tx, returnDocument: 'before' } as const;
      const found = await collection.findOneAndUpdate({ _id: id, ...existing }, { $set: change }, options);
      if (!found) return null;
      const before = toWorkspace(found);
      return { before, after: { ...before, ...change } };
    },

    /**
     * Hides the workspace from every method except {@link isKnown} and {@link isDeleted}. Returns it, or null if there never was such
     * a workspace. A repeated call changes nothing.
     */
    async delete(id: string, deletedAt: Date, tx: Tx): Promise<{ workspace: Workspace; changed: boolean } | null> {
      const changed = await collection.findOneAndUpdate({ _id: id, ...existing }, { $set: { deletedAt } }, tx);
      if (changed) return { workspace: toWorkspace(changed), changed: true };
      const found = await collection.findOne({ _id: id }, tx);
      return found && { workspace: toWorkspace(found), changed: false };
    },

    /** Returns the workspace as it is after this call, or null if there is none. A repeated call changes nothing. */
    async setSuspended(
      id: string,
      suspendedAt: Date | null,
      tx: Tx,
    ): Promise<{ workspace: Workspace; changed: boolean } | null> {
      const changed = await collection.findOneAndUpdate(
        { _id: id, ...existing, suspendedAt: suspendedAt ? null : { $type: 'date' } },
        { $set: { suspendedAt } },
        { ...tx, returnDocument: 'after' },
      );
      if (changed) return { workspace: toWorkspace(changed), changed: true };
      const found = await collection.findOne({ _id: id, ...existing }, tx);
      return found && { workspace: toWorkspace(found), changed: false };
    },

    countOnPlan(planSlug: string, tx: Tx): Promise<number> {
      return collection.countDocuments({ planSlug, ...existing }, tx);
    },

    /** Returns workspaces in the order of their ids. */
    async list(afterId: string, limit: number, maxTimeMS: number): Promise<Workspace[]> {
      const found = await collection
        .find({ _id: { $gt: afterId }, ...existing }, { maxTimeMS })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toWorkspace);
    },
  };
}

function toWorkspace({ _id, deletedAt: _, keyCreations: __, ...rest }: WorkspaceDocument): Workspace {
  return { id: _id, ...rest };
}
