import type { Tx } from '@shopscope/mongo';
import { fromMongo } from '@shopscope/mongo';
import { Binary, type Collection, type Db } from 'mongodb';
import type { StoreBody } from '../../domain/store-body.ts';
import type { StoreProfile } from '../../domain/store-profile.ts';

interface StoreDocument extends Omit<StoreProfile, 'domain'> {
  _id: string;
  /** The serialized Store object. */
  body: Binary;
  etag: string;
}

export interface StoredBody {
  body: Buffer;
  etag: string;
  lastCompletedScanAt: Date;
}

/** The projection of look-ups, read with `promoteBuffers`. */
interface BodyDocument extends StoredBody {
  _id: string;
}

export type ProfileStore = ReturnType<typeof createProfileStore>;

export function createProfileStore(db: Db) {
  const collection: Collection<StoreDocument> = db.collection('stores');
  const bodies = db.collection<BodyDocument>('stores', { promoteBuffers: true });
  const projection = { body: 1, etag: 1, lastCompletedScanAt: 1 } as const;

  return {
    /** Bodies by domain, in one round trip. At most 100 domains. */
    async findBodies(domains: readonly string[], timeoutMs: number): Promise<Map<string, StoredBody>> {
      const found = new Map<string, StoredBody>();
      try {
        const cursor = bodies.find(
          { _id: { $in: domains as string[] } },
          { projection, maxTimeMS: Math.max(1, Math.floor(timeoutMs)), batchSize: domains.length + 1 },
        );
        for (const document of await cursor.toArray()) found.set(document._id, document);
      } catch (error) {
        throw fromMongo(error);
      }
      return found;
    },

    async find(domain: string, tx: Tx): Promise<{ profile: StoreProfile; etag: string } | null> {
      const found = await collection.findOne({ _id: domain }, { ...tx, projection: { body: 0 } });
      if (!found) return null;
      const { _id, etag, body: _, ...rest } = found;
      return { profile: { domain: _id, ...rest }, etag };
    },

    /** `sequenceBefore`: the sequence of the profile that was read; null when there was none. */
    async write(
      { domain, ...rest }: StoreProfile,
      { bytes, etag }: StoreBody,
      sequenceBefore: number | null,
      tx: Tx,
    ): Promise<void> {
      const document = { ...rest, body: new Binary(bytes), etag };
      if (sequenceBefore === null) await collection.insertOne({ _id: domain, ...document }, tx);
      else expectOne(await collection.replaceOne({ _id: domain, sequence: sequenceBefore }, document, tx));
    },

    /** Writes the effect of an observation that is not shown. The body is unchanged. */
    async writeSequenceAndCandidates({ domain, sequence, candidates }: StoreProfile, tx: Tx): Promise<void> {
      const newer = { _id: domain, sequence: { $lt: sequence } };
      expectOne(await collection.updateOne(newer, { $set: { sequence, candidates } }, tx));
    },
  };
}

/** Aborts the transaction when the document is not the one that was read. */
function expectOne({ matchedCount }: { matchedCount: number }): void {
  if (matchedCount !== 1) throw new Error('a store changed within the transaction that read it');
}
