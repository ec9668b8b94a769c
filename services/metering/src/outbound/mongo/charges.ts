import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Charge } from '../../domain/charge.ts';
import { type ChargeDocument, toCharge, toDocument, withoutId } from './charge-document.ts';

/** An attempt of a charge, to be marked as ended. */
export interface EndedAttempt {
  chargeId: string;
  attempt: number;
}

export const chargeIndexes = [
  { key: { sweepAt: 1 }, options: { sparse: true } },
  {
    key: { workspaceId: 1, periodStart: 1 },
    options: { partialFilterExpression: { sweepAt: { $exists: true } } },
  },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
] as const;

export type ChargeStore = ReturnType<typeof createChargeStore>;

export function createChargeStore(db: Db, retentionMs: number) {
  const collection: Collection<ChargeDocument> = db.collection('charges');

  return {
    async find(ids: readonly string[], tx: Tx | { maxTimeMS: number }): Promise<Map<string, Charge>> {
      if (ids.length === 0) return new Map();
      const found = await collection.find({ _id: { $in: [...ids] } }, { ...tx, batchSize: 5_000 }).toArray();
      return new Map(found.map((document) => [document._id, toCharge(document)]));
    },

    /** How many of the ids are on record; answered from the index alone. */
    async count(ids: readonly string[], maxTimeMS: number): Promise<number> {
      const [found] = await collection
        .aggregate<{ count: number }>(
          [{ $match: { _id: { $in: [...ids] } } }, { $group: { _id: null, count: { $sum: 1 } } }],
          { maxTimeMS },
        )
        .toArray();
      return found?.count ?? 0;
    },

    async insert(charges: readonly Charge[], ticket: string, nowMs: number, tx: Tx): Promise<void> {
      if (charges.length === 0) return;
      await collection.insertMany(
        charges.map((charge) => toDocument(charge, { ticket, nowMs, retentionMs })),
        { ...tx, ordered: true },
      );
    },

    /** Puts each charge in the place of the one with its id and attempt `before`. */
    async replace(
      replacements: readonly { charge: Charge; before: number }[],
      ticket: string,
      nowMs: number,
      tx: Tx,
    ): Promise<void> {
      if (replacements.length === 0) return;
      const result = await collection.bulkWrite(
        replacements.map(({ charge, before }) => ({
          replaceOne: {
            filter: { _id: charge.id, attempt: before },
            replacement: withoutId(toDocument(charge, { ticket, nowMs, retentionMs })),
          },
        })),
        tx,
      );
      if (result.matchedCount !== replacements.length) throw new Error('a charge changed within its transaction');
    },

    /** Marks attempts as ended, where they are still the latest. */
    async close(ended: readonly EndedAttempt[], nowMs: number, tx: Tx | { maxTimeMS: number }): Promise<void> {
      if (ended.length === 0) return;
      await collection.bulkWrite(
        ended.map(({ chargeId, attempt }) => ({
          updateOne: {
            filter: { _id: chargeId, attempt },
            update: { $unset: { sweepAt: true }, $set: { forgetAt: new Date(nowMs + retentionMs) } },
          },
        })),
        tx,
      );
    },

    /** Marks the latest attempts of charges as answered to a retry. */
    async confirm(ids: readonly string[], tx: Tx): Promise<void> {
      if (ids.length === 0) return;
      await collection.updateMany({ _id: { $in: [...ids] } }, { $set: { confirmed: true } }, tx);
    },

    /** The same as close for charges whose latest attempt expired by `expiredMs`; far cheaper than one by one. */
    async closeExpired(ids: readonly string[], expiredMs: number, nowMs: number, maxTimeMS: number): Promise<void> {
      if (ids.length === 0) return;
      await collection.updateMany(
        { _id: { $in: [...ids] }, sweepAt: { $lte: new Date(expiredMs) } },
        { $unset: { sweepAt: true }, $set: { forgetAt: new Date(nowMs + retentionMs) } },
        { maxTimeMS },
      );
    },

    /** Charges whose latest attempt expired by `expiredMs` and is not known to have ended, oldest first. */
    async expired(expiredMs: number, limit: number, maxTimeMS: number): Promise<Charge[]> {
      const found = await collection
        .find({ sweepAt: { $lte: new Date(expiredMs) } }, { maxTimeMS, batchSize: limit })
        .sort({ sweepAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(toCharge);
    },

    /** Charges of a workspace's period whose latest attempt is not known to have ended. */
    async unended(workspaceId: string, periodStartMs: number, limit: number, tx: Tx): Promise<Charge[]> {
      const found = await collection
        .find(
          { workspaceId, periodStart: new Date(periodStartMs), sweepAt: { $exists: true } },
          { ...tx, batchSize: 5_000 },
        )
        .limit(limit)
        .toArray();
      return found.map(toCharge);
    },

    /** How many of the charges this ticket opened. */
    countByTicket(ids: readonly string[], ticket: string, maxTimeMS: number): Promise<number> {
      return collection.countDocuments({ _id: { $in: [...ids] }, ticket }, { maxTimeMS });
    },
  };
}
