import { fromMongo, type Tx } from '@shopscope/mongo';
import { Binary, type Collection, type Db } from 'mongodb';

/** The serialized Store object, with the other values that a look-up returns. */
export interface StoredBody {
  body: Buffer;
  /** A strong entity tag, with its quotes. */
  etag: string;
  lastCompletedScanAt: Date;
}

export interface DomainBody extends StoredBody {
  domain: string;
}

interface BodyDocument extends Omit<StoredBody, 'body'> {
  _id: string;
  body: Binary;
}

export type StoreBodies = ReturnType<typeof createStoreBodies>;

/**
 * Stores the bodies of all stores, apart from their profiles. A look-up reads only bodies, but MongoDB reads whole
 * documents (docs/decisions/0032-keep-store-bodies-apart.md). A transaction that writes a body writes the profile of the
 * store first, so that two transactions of one store conflict there.
 */
export function createStoreBodies(db: Db) {
  const collection: Collection<BodyDocument> = db.collection('store_bodies');
  const read = db.collection<StoredBody & { _id: string }>('store_bodies', { promoteBuffers: true });

  return {
    /** Returns bodies by domain, in one round trip. At most 100 domains are allowed. */
    async find(domains: readonly string[], timeoutMs: number): Promise<Map<string, StoredBody>> {
      try {
        const options = { maxTimeMS: Math.max(1, Math.floor(timeoutMs)), batchSize: domains.length + 1 };
        const found = await read.find({ _id: { $in: domains as string[] } }, options).toArray();
        return new Map(found.map((document) => [document._id, document]));
      } catch (error) {
        throw fromMongo(error);
      }
    },

    /** Returns the last completed scans by domain, in one round trip. */
    async scanTimes(domains: readonly string[], timeoutMs: number): Promise<Map<string, Date>> {
      try {
        const options = { maxTimeMS: Math.max(1, Math.floor(timeoutMs)), batchSize: domains.length + 1 };
        const found = read.find(
          { _id: { $in: domains as string[] } },
          { ...options, projection: { lastCompletedScanAt: 1 } },
        );
        return new Map((await found.toArray()).map(({ _id, lastCompletedScanAt }) => [_id, lastCompletedScanAt]));
      } catch (error) {
        throw fromMongo(error);
      }
    },

    /** Inserts or replaces bodies with one command. Each domain may occur only once. */
    async write(bodies: readonly DomainBody[], tx: Tx): Promise<void> {
      if (bodies.length === 0) return;
      await collection.bulkWrite(
        bodies.map(({ domain, body, etag, lastCompletedScanAt }) => {
          const replacement = { body: new Binary(body), etag, lastCompletedScanAt };
          return { replaceOne: { filter: { _id: domain }, replacement, upsert: true } };
        }),
        { ...tx, ordered: false },
      );
    },
  };
}
