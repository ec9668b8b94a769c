import type { Tx } from '@shopscope/mongo';
import { Binary, type Collection, type Db, type Filter } from 'mongodb';
import { type ChainedEntry, type ChainHead, emptyChain } from '../../domain/audit-chain.ts';
import type { AuditEntry } from '../../domain/audit-entry.ts';

interface AuditDocument extends Omit<AuditEntry, 'id'> {
  _id: string;
  /** This and the hash may be absent in a document that this service did not write, or that was changed afterwards. */
  sequence?: number;
  hash?: Binary;
}

interface HeadDocument {
  /** The workspace id. Empty for the entries that concern all workspaces. */
  _id: string;
  sequence: number;
  hash: Binary;
}

export const auditIndexes = [
  { key: { workspaceId: 1, _id: -1 }, options: {} },
  // The index does not contain entries without a sequence, so that they do not conflict with each other.
  {
    key: { workspaceId: 1, sequence: 1 },
    options: { unique: true, partialFilterExpression: { sequence: { $gt: 0 } } },
  },
] as const;

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(db: Db) {
  const collection: Collection<AuditDocument> = db.collection('audit_entries');
  const heads: Collection<HeadDocument> = db.collection('audit_heads');

  return {
    /** Resolves to the head of the chain. A concurrent {@link append} to the chain makes one of the two transactions conflict. */
    async head(workspaceId: string, tx: Tx): Promise<ChainHead> {
      const found = await heads.findOne({ _id: workspaceId }, tx);
      return found ? { sequence: toSequence(found.sequence), hash: toBuffer(found.hash) } : emptyChain;
    },

    /** Adds entries of one chain, in the order of their sequences, and sets the head to the last one. */
    async append(entries: readonly ChainedEntry[], tx: Tx): Promise<void> {
      const last = entries.at(-1);
      if (!last) return;
      const head = { sequence: last.sequence, hash: new Binary(last.hash) };
      await heads.updateOne({ _id: last.workspaceId }, { $set: head }, { ...tx, upsert: true });
      const documents = entries.map(({ id, hash, ...rest }) => ({ _id: id, ...rest, hash: new Binary(hash) }));
      await collection.insertMany(documents, { ...tx, ordered: true });
    },

    async find(id: string, tx: Tx): Promise<ChainedEntry | null> {
      const found = await collection.findOne({ _id: id }, tx);
      return found && toEntry(found);
    },

    /** Resolves to entries, the newest first. */
    async list(workspaceId: string, beforeId: string, limit: number, maxTimeMS: number): Promise<ChainedEntry[]> {
      const filter: Filter<AuditDocument> = beforeId ? { workspaceId, _id: { $lt: beforeId } } : { workspaceId };
      const found = await collection.find(filter, { maxTimeMS }).sort({ _id: -1 }).limit(limit).toArray();
      return found.map(toEntry);
    },

    /** Resolves to the next entries of the chain, in the order of their sequences. */
    async listChain(workspaceId: string, afterSequence: number, limit: number, tx: Tx): Promise<ChainedEntry[]> {
      const found = await collection
        .find({ workspaceId, sequence: { $gt: afterSequence } }, { ...tx, batchSize: limit })
        .sort({ sequence: 1 })
        .limit(limit)
        .toArray();
      return found.map(toEntry);
    },

    /** Counts the entries outside of the chain, which this service never writes. */
    countUnchained(workspaceId: string, tx: Tx): Promise<number> {
      return collection.countDocuments({ workspaceId, sequence: { $not: { $gt: 0 } } }, tx);
    },
  };
}

/** An entry outside of the chain has the sequence 0 and an empty hash. */
function toEntry({ _id, at, sequence, hash, ...rest }: AuditDocument): ChainedEntry {
  const place = { sequence: toSequence(sequence), hash: toBuffer(hash) };
  return { ...rest, id: _id, at: new Date(at), ...place };
}

// A changed document can have members of other types. They must not end the verification with an error.
function toSequence(sequence: number | undefined): number {
  return sequence !== undefined && Number.isSafeInteger(sequence) && sequence > 0 ? sequence : 0;
}

function toBuffer(hash: Binary | undefined): Buffer {
  return hash instanceof Binary ? Buffer.from(hash.buffer) : Buffer.alloc(0);
}
