import { fromMongo, type Tx } from '@shopscope/mongo';
import { Binary, type Collection, type Db } from 'mongodb';

/** The serialized Store object, with the other values that a look-up returns. */
export interface StoredBody {
  body: Buffer;
  /** A strong entity tag, with its quotes. */
  etag: string;
  lastCompletedScanAt: Date;
}

/** A body, with what the documents of search need beside it. It is one document, so all of it is of the same merge. */
export interface SequencedBody extends StoredBody {
  /** The sequence of the profile when the body was written. A later body has a higher one. */
  sequence: number;
  firstScanAt: Date;
}

export interface DomainBody extends SequencedBody {
  domain: string;
}

interface BodyDocument extends Omit<SequencedBody, 'body'> {
  _id: string;
  body: Binary;
}

export interface ListBounds {
  limit: number;
  maxBytes: number;
  timeoutMs: number;
}

export interface BodyPage {
  bodies: DomainBody[];
  hasMore: boolean;
}

export type StoreBodies = ReturnType<typeof createStoreBodies>;

/**
 * Stores the bodies of all stores, apart from their profiles. A look-up reads only bodies, but MongoDB reads whole
 * documents (docs/decisions/0032-keep-store-bodies-apart.md). A transaction that writes a body writes the profile of the
 * store first, so that two transactions of one store conflict there.
 */
export function createStoreBodies(db: Db) {
  const collection: Collection<BodyDocument> = db.collection('store_bodies');
  const read = db.collection<SequencedBody & { _id: string }>('store_bodies', { promoteBuffers: true });

  return {
    /** Returns bodies by domain, in one round trip. At most 100 domains are allowed. */
    async find(domains: readonly string[], timeoutMs: number): Promise<Map<string, SequencedBody>> {
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

    /**
     * Returns bodies after a domain, in ascending order: at most `limit`, with about `maxBytes` bytes, and whether more follow. Reads from
     * the primary, so that the walk misses no store that was merged before it began.
     */
    async list(after: string, { limit, maxBytes, timeoutMs }: ListBounds): Promise<BodyPage> {
      const bodies: DomainBody[] = [];
      let bytes = 0;
      try {
        const options = { maxTimeMS: Math.max(1, Math.floor(timeoutMs)), batchSize: limit + 1 };
        const cursor = read
          .find({ _id: { $gt: after } }, options)
          .sort({ _id: 1 })
          .limit(limit + 1);
        for await (const { _id, ...body } of cursor) {
          if (bodies.length === limit || bytes >= maxBytes) return { bodies, hasMore: true };
          bodies.push({ domain: _id, ...body });
          bytes += body.body.length;
        }
      } catch (error) {
        throw fromMongo(error);
      }
      return { bodies, hasMore: false };
    },

    /** Returns the number of all stores, from the metadata of the collection. */
    count: (): Promise<number> => read.estimatedDocumentCount(),

    async delete(domains: readonly string[], tx: Tx): Promise<void> {
      await collection.deleteMany({ _id: { $in: [...domains] } }, tx);
    },

    /** Inserts or replaces bodies with one command. Each domain may occur only once. */
    async write(bodies: readonly DomainBody[], tx: Tx): Promise<void> {
      if (bodies.length === 0) return;
      await collection.bulkWrite(
        bodies.map(({ domain, body, ...rest }) => {
          const replacement = { body: new Binary(body), ...rest };
          return { replaceOne: { filter: { _id: domain }, replacement, upsert: true } };
        }),
        { ...tx, ordered: false },
      );
    },
  };
}
