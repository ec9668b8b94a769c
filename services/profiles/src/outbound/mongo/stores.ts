import type { Tx } from '@shopscope/mongo';
import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import type { StoreBody } from '../../domain/store-body.ts';
import type { StoreProfile } from '../../domain/store-profile.ts';

interface ProfileDocument extends Omit<StoreProfile, 'domain'> {
  _id: string;
  /** The entity tag of the body of the store. */
  etag: string;
}

/** What stays of a removed profile. Observations with the same or a lower sequence cannot bring it back. */
interface RemovalDocument {
  _id: string;
  sequence: number;
  removedAt: Date;
}

type StoreDocument = ProfileDocument | RemovalDocument;

export interface StoredStore {
  /** Null if the profile was removed. */
  profile: StoreProfile | null;
  etag: string;
  /** The sequence of the profile, or of its removal. */
  sequence: number;
}

export interface Removal {
  domain: string;
  /** It is higher than that of the document that was read. */
  sequence: number;
  /** Null if there was no document. */
  sequenceBefore: number | null;
}

export interface StoreChange {
  profile: StoreProfile;
  /** The new body. It is null if the profile shows none of the merged observations. */
  body: Pick<StoreBody, 'etag'> | null;
  /** The sequence of the document that was read. It is null if there was none. */
  sequenceBefore: number | null;
}

export type ProfileStore = ReturnType<typeof createProfileStore>;

export function createProfileStore(db: Db) {
  const collection: Collection<StoreDocument> = db.collection('stores');

  return {
    /** Returns profiles and removals by domain. */
    async find(domains: readonly string[], tx: Tx): Promise<Map<string, StoredStore>> {
      const found = await collection.find({ _id: { $in: domains as string[] } }, tx).toArray();
      return new Map(found.map((document) => [document._id, toStore(document)]));
    },

    /**
     * Returns up to `limit` domains below `name` that have a profile, in ascending order after `after`, and where the next call begins:
     * undefined at the end. Reads at most {@link maxExamined} index entries, from the primary.
     */
    async listBelow(
      name: string,
      after: string,
      { limit, timeoutMs }: { limit: number; timeoutMs: number },
    ): Promise<{ domains: string[]; next: string | undefined }> {
      const options = { projection: { _id: 1 as const }, maxTimeMS: timeoutMs };
      const [last] = await collection
        .find({ _id: { $gt: after } }, options)
        .sort({ _id: 1 })
        .skip(maxExamined - 1)
        .limit(1)
        .toArray();
      const range = { $gt: after, ...(last && { $lte: last._id }) };
      const found = await collection
        .find({ _id: { ...range, $regex: endOf(name) }, removedAt: { $exists: false } }, options)
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      const domains = found.map(({ _id }) => _id);
      return { domains, next: domains.length === limit ? domains.at(-1) : last?._id };
    },

    /** Writes stores that the transaction has read. Each store may occur only once. */
    write: (changes: readonly StoreChange[], tx: Tx) => bulkWrite(collection, changes.map(writeOf), tx),

    /** Replaces stores that the transaction has read by their removals. */
    remove: (removals: readonly Removal[], removedAt: Date, tx: Tx) =>
      bulkWrite(
        collection,
        removals.map(({ domain, sequence, sequenceBefore }) =>
          replacementOf(domain, { sequence, removedAt }, sequenceBefore),
        ),
        tx,
      ),

    /** Returns the number of all stores, from the metadata of the collection. */
    count: (): Promise<number> => collection.estimatedDocumentCount(),
  };
}

/** The largest number of index entries that one call examines. It takes some tens of milliseconds. */
const maxExamined = 50_000;

const endOf = (name: string) => `\\.${name.replaceAll('.', '\\.')}$`;

function toStore(document: StoreDocument): StoredStore {
  if ('removedAt' in document) return { profile: null, etag: '', sequence: document.sequence };
  const { _id: domain, etag, ...rest } = document;
  return { profile: { domain, ...rest }, etag, sequence: rest.sequence };
}

async function bulkWrite(
  collection: Collection<StoreDocument>,
  writes: AnyBulkWriteOperation<StoreDocument>[],
  tx: Tx,
): Promise<void> {
  if (writes.length === 0) return;
  const { insertedCount, matchedCount } = await collection.bulkWrite(writes, { ...tx, ordered: false });
  // Aborts the transaction if a document is not the one that was read.
  if (insertedCount + matchedCount !== writes.length) {
    throw new Error('a store changed within the transaction that read it');
  }
}

function replacementOf(
  domain: string,
  document: Omit<ProfileDocument, '_id'> | Omit<RemovalDocument, '_id'>,
  sequenceBefore: number | null,
): AnyBulkWriteOperation<StoreDocument> {
  if (sequenceBefore === null) return { insertOne: { document: { _id: domain, ...document } } };
  return { replaceOne: { filter: { _id: domain, sequence: sequenceBefore }, replacement: document } };
}

function writeOf({ profile, body, sequenceBefore }: StoreChange): AnyBulkWriteOperation<StoreDocument> {
  const { domain, ...rest } = profile;
  if (!body) {
    const { sequence, candidates } = profile;
    const filter = { _id: domain, sequence: sequenceBefore ?? 0 };
    return { updateOne: { filter, update: { $set: { sequence, candidates } } } };
  }
  return replacementOf(domain, { ...rest, etag: body.etag }, sequenceBefore);
}
