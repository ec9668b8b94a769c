import type { Tx } from '@shopscope/mongo';
import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import type { StoreBody } from '../../domain/store-body.ts';
import type { StoreProfile } from '../../domain/store-profile.ts';

interface StoreDocument extends Omit<StoreProfile, 'domain'> {
  _id: string;
  /** The entity tag of the body of the store. */
  etag: string;
}

export interface StoredProfile {
  profile: StoreProfile;
  etag: string;
}

export interface StoreChange {
  profile: StoreProfile;
  /** The new body. It is null if the profile shows none of the merged observations. */
  body: Pick<StoreBody, 'etag'> | null;
  /** The sequence of the profile that was read. It is null if there was no profile. */
  sequenceBefore: number | null;
}

export type ProfileStore = ReturnType<typeof createProfileStore>;

export function createProfileStore(db: Db) {
  const collection: Collection<StoreDocument> = db.collection('stores');

  return {
    /** Returns profiles by domain. */
    async find(domains: readonly string[], tx: Tx): Promise<Map<string, StoredProfile>> {
      const found = await collection.find({ _id: { $in: domains as string[] } }, tx).toArray();
      return new Map(found.map(({ _id, etag, ...rest }) => [_id, { profile: { domain: _id, ...rest }, etag }]));
    },

    /** Writes stores that the transaction has read. Each store may occur only once. */
    async write(changes: readonly StoreChange[], tx: Tx): Promise<void> {
      if (changes.length === 0) return;
      const { insertedCount, matchedCount } = await collection.bulkWrite(changes.map(writeOf), {
        ...tx,
        ordered: false,
      });
      // Aborts the transaction if a document is not the one that was read.
      if (insertedCount + matchedCount !== changes.length) {
        throw new Error('a store changed within the transaction that read it');
      }
    },

    /** Returns the number of all stores, from the metadata of the collection. */
    count: (): Promise<number> => collection.estimatedDocumentCount(),
  };
}

function writeOf({ profile, body, sequenceBefore }: StoreChange): AnyBulkWriteOperation<StoreDocument> {
  const { domain, ...rest } = profile;
  const filter = { _id: domain, sequence: sequenceBefore ?? 0 };
  if (!body) {
    const { sequence, candidates } = profile;
    return { updateOne: { filter, update: { $set: { sequence, candidates } } } };
  }
  const document = { ...rest, etag: body.etag };
  if (sequenceBefore === null) return { insertOne: { document: { _id: domain, ...document } } };
  return { replaceOne: { filter, replacement: document } };
}
