import { minuteMs } from '@shopscope/clock';
import { type IndexDefinition, unlessDuplicate } from '@shopscope/mongo';
import { Binary, type Db } from 'mongodb';
import type { Mapping } from '../domain/import-file.ts';

/** A file or text that a person sent, and how far its stores are added to a list. */
export interface ListImport {
  id: string;
  /** The name of a list that the import creates; empty if the list exists. */
  name: string;
  /** Null until the list is created. */
  listId: string | null;
  bytes: Uint8Array;
  createdAtMs: number;
  /** Null until the person has confirmed which columns are read. It then never changes. */
  mapping: Mapping | null;
  /** The stores that were sent to the API, those that were new, and those that were in the list. */
  sent: number;
  added: number;
  present: number;
}

interface ImportDocument extends Omit<ListImport, 'id' | 'bytes' | 'createdAtMs'> {
  _id: string;
  workspaceId: string;
  userId: string;
  bytes: Binary;
  createdAt: Date;
}

export interface ImportOwner {
  workspaceId: string;
  userId: string;
}

const keptMs = 30 * minuteMs;
/** The newest imports of a person in a workspace that are stored. */
const maxImports = 5;

export const listImportIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1, userId: 1, createdAt: -1 }, options: {} },
  { key: { createdAt: 1 }, options: { expireAfterSeconds: keptMs / 1_000, name: 'expiry' } },
];

/** Imports of lists. Only the person who sent a file finds it. */
export function createListImportStore(db: Db) {
  const imports = db.collection<ImportDocument>('list_imports');
  return {
    /** Stores an import, and deletes all but the newest ones of the person. A repeated call changes nothing. */
    async create({ workspaceId, userId }: ImportOwner, { id, bytes, createdAtMs, ...rest }: ListImport): Promise<void> {
      const createdAt = new Date(createdAtMs);
      const document = { _id: id, workspaceId, userId, bytes: new Binary(bytes), createdAt, ...rest };
      await unlessDuplicate(imports.insertOne(document));
      const own = { workspaceId, userId };
      const kept = imports.find(own, { projection: { _id: 1 } }).sort({ createdAt: -1, _id: -1 });
      const ids = (await kept.limit(maxImports).toArray()).map(({ _id }) => _id);
      await imports.deleteMany({ ...own, _id: { $nin: ids } });
    },

    async find({ workspaceId, userId }: ImportOwner, id: string, nowMs: number): Promise<ListImport | undefined> {
      const kept = { createdAt: { $gt: new Date(nowMs - keptMs) } };
      const found = await imports.findOne({ _id: id, workspaceId, userId, ...kept });
      return found ? toImport(found) : undefined;
    },

    /** Stores the mapping, if there is none yet. */
    async begin(id: string, mapping: Mapping): Promise<void> {
      await imports.updateOne({ _id: id, mapping: null }, { $set: { mapping } });
    },

    async setList(id: string, listId: string): Promise<void> {
      await imports.updateOne({ _id: id }, { $set: { listId } });
    },

    /** Counts the result of one call of the API, once. */
    async count({ id, sent }: ListImport, call: { sent: number; added: number }): Promise<void> {
      const counts = { sent: call.sent, added: call.added, present: call.sent - call.added };
      await imports.updateOne({ _id: id, sent }, { $inc: counts });
    },
  };
}

const toImport = ({ _id, workspaceId: _, userId: __, bytes, createdAt, ...rest }: ImportDocument): ListImport => ({
  id: _id,
  bytes: bytes.buffer,
  createdAtMs: createdAt.getTime(),
  ...rest,
});
