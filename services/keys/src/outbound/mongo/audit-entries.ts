import type { Tx } from '@shopscope/mongo';
import type { Collection, Db, Filter } from 'mongodb';
import type { AuditEntry } from '../../domain/audit-entry.ts';

type AuditDocument = Omit<AuditEntry, 'id'> & { _id: string };

export const auditIndexes = [{ key: { workspaceId: 1, _id: -1 }, options: {} }] as const;

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(db: Db) {
  const collection: Collection<AuditDocument> = db.collection('audit_entries');

  return {
    async append({ id, ...rest }: AuditEntry, tx: Tx): Promise<void> {
      await collection.insertOne({ _id: id, ...rest }, tx);
    },

    /** Newest first. */
    async list(workspaceId: string, beforeId: string, limit: number, maxTimeMS: number): Promise<AuditEntry[]> {
      const filter: Filter<AuditDocument> = beforeId ? { workspaceId, _id: { $lt: beforeId } } : { workspaceId };
      const found = await collection.find(filter, { maxTimeMS }).sort({ _id: -1 }).limit(limit).toArray();
      return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
    },
  };
}
