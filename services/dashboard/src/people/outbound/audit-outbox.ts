import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import type { RecordAuditEntryRequest } from '@shopscope/proto';
import type { Db } from 'mongodb';

/** A change of a workspace's people, for the audit log of the keys service. `detail` has at most 300 characters. */
export type AuditEntryDraft = Omit<RecordAuditEntryRequest, 'id'>;

interface AuditEntryDocument extends AuditEntryDraft {
  _id: string;
  createdAt: Date;
  /** Set if the keys service refused the entry permanently. */
  refusedAt?: Date;
}

export const auditOutboxIndexes = [{ key: { refusedAt: 1, createdAt: 1 }, options: {} }] as const;

/** Entries of the audit log that the keys service has not recorded yet. They are written in the transaction of the change. */
export function createAuditOutbox(db: Db) {
  const collection = db.collection<AuditEntryDocument>('audit_outbox');
  return {
    /** The entries are stored if and only if the transaction commits. */
    async add(entries: readonly AuditEntryDraft[], now: Date, tx: Tx): Promise<void> {
      if (entries.length === 0) return;
      const rows = entries.map((entry) => ({ _id: newId('aud', now.getTime()), ...entry, createdAt: now }));
      await collection.insertMany(rows, { ...tx });
    },
    /** The oldest entries, at most `limit`. */
    async next(limit: number): Promise<RecordAuditEntryRequest[]> {
      const found = await collection
        .find({ refusedAt: { $exists: false } })
        .sort({ createdAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, createdAt: _, refusedAt: __, ...entry }) => ({ id: _id, ...entry }));
    },
    async remove(id: string): Promise<void> {
      await collection.deleteOne({ _id: id });
    },
    /** Marks an entry as refused. It is kept for an operator, and is not sent again. */
    async refuse(id: string, now: Date): Promise<void> {
      await collection.updateOne({ _id: id }, { $set: { refusedAt: now } });
    },
    pending: (): Promise<number> => collection.countDocuments({ refusedAt: { $exists: false } }),
  };
}
