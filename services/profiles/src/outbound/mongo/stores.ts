import type { Tx } from '@shopscope/mongo';
import { type AnyBulkWriteOperation, Binary, type Collection, type Db } from 'mongodb';
import type { StoreBody } from '../../domain/store-body.ts';
import type { StoreProfile } from '../../domain/store-profile.ts';
import { homeSources } from '../../domain/values.ts';

interface StoreDocument extends Omit<StoreProfile, 'domain'> {
  _id: string;
  /** The tag of the store's body. */
  etag: string;
  /** A copy of the body for older versions. Undefined where only `store_bodies` has it. */
  body?: Binary;
}

export interface StoredProfile {
  profile: StoreProfile;
  etag: string;
}

export interface StoreChange {
  profile: StoreProfile;
  /** The new body; null when only observations were merged that the profile does not show. */
  body: StoreBody | null;
  /** The sequence of the profile that was read; null when there was none. */
  sequenceBefore: number | null;
}

export type ProfileStore = ReturnType<typeof createProfileStore>;

/** Profiles. `keepsBodies`: writes a copy of each body beside the profile, where older versions read it. */
export function createProfileStore(db: Db, { keepsBodies = false } = {}) {
  const collection: Collection<StoreDocument> = db.collection('stores');

  return {
    /** Profiles by domain. */
    async find(domains: readonly string[], tx: Tx): Promise<Map<string, StoredProfile>> {
      const cursor = collection.find({ _id: { $in: domains as string[] } }, { ...tx, projection: { body: 0 } });
      const found = new Map<string, StoredProfile>();
      for (const { _id, etag, body: _, ...rest } of await cursor.toArray()) {
        found.set(_id, { profile: { domain: _id, ...withDefaults(rest) }, etag });
      }
      return found;
    },

    /** Writes stores that one transaction has read, each once. */
    async write(changes: readonly StoreChange[], tx: Tx): Promise<void> {
      if (changes.length === 0) return;
      const { insertedCount, matchedCount } = await collection.bulkWrite(
        changes.map((change) => writeOf(change, keepsBodies)),
        { ...tx, ordered: false },
      );
      // Aborts the transaction when a document is not the one that was read.
      if (insertedCount + matchedCount !== changes.length) {
        throw new Error('a store changed within the transaction that read it');
      }
    },

    /** All stores, from the metadata of the collection. */
    count: (): Promise<number> => collection.estimatedDocumentCount(),
  };
}

/**
 * Documents of earlier versions have no sources: what they list was seen on the home page. They list every technology that
 * was observed. What they have confirmed cannot be retracted.
 */
function withDefaults<Rest extends Omit<StoreProfile, 'domain'>>(rest: Rest): Rest {
  return {
    ...rest,
    sourcesRead: rest.sourcesRead ?? homeSources,
    technologiesOmitted: rest.technologiesOmitted ?? false,
    changeOfEverything: rest.changeOfEverything ?? null,
    retractable: rest.retractable ?? [],
    technologies: rest.technologies.map((one) => ({ ...one, sources: one.sources ?? homeSources })),
  };
}

function writeOf(
  { profile, body, sequenceBefore }: StoreChange,
  keepsBodies: boolean,
): AnyBulkWriteOperation<StoreDocument> {
  const { domain, ...rest } = profile;
  const filter = { _id: domain, sequence: sequenceBefore ?? 0 };
  if (!body) {
    const { sequence, candidates } = profile;
    return { updateOne: { filter, update: { $set: { sequence, candidates } } } };
  }
  const copy = keepsBodies && { body: new Binary(body.bytes) };
  const document = { ...rest, ...copy, etag: body.etag };
  if (sequenceBefore === null) return { insertOne: { document: { _id: domain, ...document } } };
  return { replaceOne: { filter, replacement: document } };
}
