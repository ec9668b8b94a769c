import { minuteMs } from '@shopscope/clock';
import { type Environment, nameIn } from '@shopscope/environment';
import { type IndexDefinition, unlessDuplicate } from '@shopscope/mongo';
import { Binary, type Db } from 'mongodb';
import type { Mapping } from '../domain/import-file.ts';

/** How far the stores of an import are added. */
export interface ImportProgress {
  id: string;
  createdAtMs: number;
  /** The name of a list that the import creates; empty if the list exists. */
  name: string;
  /** Null until the list is created. */
  listId: string | null;
  /** Null until the person has confirmed which columns are read. It then never changes. */
  mapping: Mapping | null;
  /** Null if the stores come from a file. */
  copy: ListCopy | null;
  /** The numbers of stores that were sent to the API, that were new, and that the list had already. */
  sent: number;
  added: number;
  present: number;
}

/** A copy of the stores of a list into a watchlist. */
export interface ListCopy {
  fromListId: string;
  watchlistId: string;
  /** The stores of the list when the copy began. */
  total: number;
  /** The cursor of the stores that are not read yet; empty at the beginning, null at the end. */
  rest: string | null;
}

/** A file or text that a person sent. */
export interface FileImport extends ImportProgress {
  bytes: Uint8Array;
}

interface ImportDocument extends Omit<ImportProgress, 'id' | 'createdAtMs'> {
  _id: string;
  workspaceId: string;
  userId: string;
  /** Absent in a copy. */
  bytes?: Binary;
  createdAt: Date;
}

export interface ImportOwner {
  workspaceId: string;
  userId: string;
}

const keptMs = 30 * minuteMs;
/** The maximum number of stored imports of a person in a workspace. The newest ones are kept. */
const maxImports = 5;

export const listImportIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1, userId: 1, createdAt: -1 }, options: {} },
  { key: { createdAt: 1 }, options: { expireAfterSeconds: keptMs / 1_000, name: 'expiry' } },
];

/** Imports of lists, and copies of lists. Only the person who began one finds it. */
export function createListImportStore(db: Db, environment: Environment) {
  const imports = db.collection<ImportDocument>(nameIn(environment, 'list_imports', '_'));
  const keptOf = ({ workspaceId, userId }: ImportOwner, id: string, nowMs: number) => ({
    _id: id,
    workspaceId,
    userId,
    createdAt: { $gt: new Date(nowMs - keptMs) },
  });
  return {
    /** Stores an import, and deletes all but the newest ones of the person. A repeated call changes nothing. */
    async create(
      { workspaceId, userId }: ImportOwner,
      { id, createdAtMs, bytes, ...rest }: ImportProgress & { bytes?: Uint8Array },
    ): Promise<void> {
      const createdAt = new Date(createdAtMs);
      const file = bytes && { bytes: new Binary(bytes) };
      await unlessDuplicate(imports.insertOne({ _id: id, workspaceId, userId, createdAt, ...file, ...rest }));
      const own = { workspaceId, userId };
      const kept = imports.find(own, { projection: { _id: 1 } }).sort({ createdAt: -1, _id: -1 });
      const ids = (await kept.limit(maxImports).toArray()).map(({ _id }) => _id);
      await imports.deleteMany({ ...own, _id: { $nin: ids } });
    },

    async findFile(owner: ImportOwner, id: string, nowMs: number): Promise<FileImport | undefined> {
      const found = await imports.findOne(keptOf(owner, id, nowMs));
      return found?.bytes && { ...toProgress(found), bytes: found.bytes.buffer };
    },

    /** Reads no file. */
    async find(owner: ImportOwner, id: string, nowMs: number): Promise<ImportProgress | undefined> {
      const found = await imports.findOne(keptOf(owner, id, nowMs), { projection: { bytes: 0 } });
      return found ? toProgress(found) : undefined;
    },

    /** Stores the mapping, if there is none yet. */
    async begin(id: string, mapping: Mapping): Promise<void> {
      await imports.updateOne({ _id: id, mapping: null }, { $set: { mapping } });
    },

    async setList(id: string, listId: string): Promise<void> {
      await imports.updateOne({ _id: id }, { $set: { listId } });
    },

    /** Counts one call once. For a copy, `rest` is the cursor after the call. */
    async count(
      { id, sent, copy }: ImportProgress,
      call: { sent: number; added: number; rest?: string | null },
    ): Promise<void> {
      const counts = { sent: call.sent, added: call.added, present: call.sent - call.added };
      const place = copy && { 'copy.rest': copy.rest };
      const next = call.rest !== undefined && { $set: { 'copy.rest': call.rest } };
      await imports.updateOne({ _id: id, sent, ...place }, { $inc: counts, ...next });
    },
  };
}

const toProgress = ({
  _id,
  workspaceId: _,
  userId: __,
  bytes: ___,
  createdAt,
  ...rest
}: ImportDocument): ImportProgress => ({
  id: _id,
  createdAtMs: createdAt.getTime(),
  ...rest,
});
