import { type Environment, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';

/**
 * The number of units of each lease that the ledger has settled. Transactions of the ledger add to a count until it is closed. A
 * transaction and the close conflict, and a closed count therefore does not change.
 */
interface LeaseCountDocument {
  /** The allowance and the lease: see {@link leaseCountKey}. */
  _id: string;
  settled: number;
  closedAt?: Date;
  /** Present if the count is closed and its lease may still be part of the allowance. */
  isPending?: true;
  /** When the lease was removed. MongoDB deletes the count later. */
  removedAt?: Date;
}

export interface LeaseCount {
  settled: number;
  isClosed: boolean;
}

/** An id begins with the workspace. */
export const leaseCountShardKey = { _id: 1 } as const;

const forgetAfterS = 3_600;
export const leaseCountIndexes = [
  { key: { removedAt: 1 }, options: { expireAfterSeconds: forgetAfterS } },
  { key: { closedAt: 1 }, options: { partialFilterExpression: { isPending: true } } },
] as const;

export type LeaseCountStore = ReturnType<typeof createLeaseCountStore>;

export function createLeaseCountStore(db: Db, environment: Environment) {
  const collection: Collection<LeaseCountDocument> = db.collection(nameIn(environment, 'lease_counts', '_'));

  return {
    async findMany(keys: readonly string[], options: Tx | { maxTimeMS: number }): Promise<Map<string, LeaseCount>> {
      if (keys.length === 0) return new Map();
      const found = await collection.find({ _id: { $in: [...keys] } }, options).toArray();
      return new Map(found.map(({ _id, settled, closedAt }) => [_id, { settled, isClosed: closedAt !== undefined }]));
    },

    /**
     * Adds settled units to counts that the same transaction has read as open. If a count is closed meanwhile, the transaction
     * conflicts. The filter therefore needs only the id, and MongoDB updates by id without a query plan.
     */
    async add(settled: ReadonlyMap<string, number>, tx: Tx): Promise<void> {
      if (settled.size === 0) return;
      await collection.bulkWrite(
        [...settled].map(([key, units]) => ({
          updateOne: {
            filter: { _id: key },
            update: { $inc: { settled: units } },
            upsert: true,
          },
        })),
        tx,
      );
    },

    /**
     * Closes counts and resolves to their settled units. A count that is already closed does not change. Rejects if an update fails;
     * the other updates may have been applied.
     */
    async close(keys: readonly string[], nowMs: number, maxTimeMS: number): Promise<Map<string, number>> {
      if (keys.length === 0) return new Map();
      const isOpen = { $eq: [{ $type: '$closedAt' }, 'missing'] };
      const closed = {
        settled: { $ifNull: ['$settled', 0] },
        isPending: { $cond: [isOpen, true, { $ifNull: ['$isPending', '$$REMOVE'] }] },
        closedAt: { $ifNull: ['$closedAt', new Date(nowMs)] },
      };
      await collection.bulkWrite(
        keys.map((key) => ({ updateOne: { filter: { _id: key }, update: [{ $set: closed }], upsert: true } })),
        { ordered: false, maxTimeMS },
      );
      const found = await collection.find({ _id: { $in: [...keys] } }, { maxTimeMS }).toArray();
      return new Map(found.map(({ _id, settled }) => [_id, settled]));
    },

    /** Resolves to the settled units of closed counts whose leases may still be part of their allowances. */
    async pending(limit: number, maxTimeMS: number): Promise<Map<string, number>> {
      const found = await collection
        .find({ isPending: true }, { maxTimeMS, projection: { settled: 1 } })
        .sort({ closedAt: 1 })
        .limit(limit)
        .toArray();
      return new Map(found.map(({ _id, settled }) => [_id, settled]));
    },

    /** Notes that the leases are no longer part of their allowances. MongoDB deletes their counts later. */
    async forget(keys: readonly string[], nowMs: number, maxTimeMS: number): Promise<void> {
      if (keys.length === 0) return;
      await collection.updateMany(
        { _id: { $in: [...keys] } },
        { $unset: { isPending: true }, $set: { removedAt: new Date(nowMs) } },
        { maxTimeMS },
      );
    },
  };
}
