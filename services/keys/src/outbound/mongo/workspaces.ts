import type { ClientSession, Collection, Db } from 'mongodb';
import type { Workspace } from '../../domain/workspace.ts';

type WorkspaceDocument = Omit<Workspace, 'id'> & { _id: string };

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

export function createWorkspaceStore(db: Db) {
  const collection: Collection<WorkspaceDocument> = db.collection('workspaces');

  return {
    async insert({ id, ...rest }: Workspace, session: ClientSession): Promise<void> {
      await collection.insertOne({ _id: id, ...rest }, { session });
    },

    async find(id: string, maxTimeMS: number): Promise<Workspace | null> {
      const found = await collection.findOne({ _id: id }, { maxTimeMS });
      return found && toWorkspace(found);
    },

    async setPlan(id: string, planSlug: string, session: ClientSession): Promise<Workspace | null> {
      const found = await collection.findOneAndUpdate(
        { _id: id },
        { $set: { planSlug } },
        { session, returnDocument: 'after' },
      );
      return found && toWorkspace(found);
    },

    /** In the order of their ids, which is that of their creation. */
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

function toWorkspace({ _id, ...rest }: WorkspaceDocument): Workspace {
  return { id: _id, ...rest };
}
