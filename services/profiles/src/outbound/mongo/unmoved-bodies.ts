import type { Tx } from '@shopscope/mongo';
import type { Binary, Db } from 'mongodb';
import { findByDomain, type ReadBody, type StoredBody } from './store-bodies.ts';

/** A store of `stores`, as read with `promoteBuffers`. It has no body when the body is in `store_bodies` only. */
type StoreDocument = Omit<ReadBody, 'body'> & { body?: Buffer };

/** The removal does not read it. */
type WrittenDocument = Omit<StoreDocument, 'body'> & { body?: Binary };

export interface MovableStore {
  domain: string;
  /** Undefined when the body was moved before. */
  stored: StoredBody | undefined;
}

export type UnmovedBodies = ReturnType<typeof createUnmovedBodies>;

/**
 * Bodies in `stores`, where earlier versions keep them. A body there is current: whoever writes only `store_bodies`
 * removes it in the same transaction.
 */
export function createUnmovedBodies(db: Db) {
  const collection = db.collection<StoreDocument>('stores', { promoteBuffers: true });
  const written = db.collection<WrittenDocument>('stores');
  const projection = { body: 1, etag: 1, lastCompletedScanAt: 1 } as const;

  return {
    /** Every store of `domains` that exists. */
    async find(domains: readonly string[], timeoutMs: number): Promise<MovableStore[]> {
      return (await findByDomain(collection, domains, { timeoutMs, projection })).map(movable);
    },

    /** The first `limit` stores after a domain, whether they have a body or not, so that one read is bounded. */
    async next(after: string, limit: number, tx: Tx): Promise<MovableStore[]> {
      const cursor = collection
        .find({ _id: { $gt: after } }, { ...tx, projection, batchSize: limit + 1 })
        .sort({ _id: 1 })
        .limit(limit);
      return (await cursor.toArray()).map(movable);
    },

    async remove(domains: readonly string[], tx: Tx): Promise<void> {
      await written.updateMany({ _id: { $in: domains as string[] } }, { $unset: { body: '' } }, tx);
    },
  };
}

function movable({ _id, body, etag, lastCompletedScanAt }: StoreDocument): MovableStore {
  return { domain: _id, stored: body && { body, etag, lastCompletedScanAt } };
}
