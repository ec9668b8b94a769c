import type { Tx } from '@shopscope/mongo';
import { type Units, unitsOf } from '@shopscope/proto';
import type { Collection, Db } from 'mongodb';
import type { Attempt } from '../../domain/attempt.ts';
import type { Charge } from '../../domain/charge.ts';
import type { PeriodOf } from '../../domain/period.ts';
import { type ChargeDocument, toCharge, toDocument, withoutId } from './charge-document.ts';
import { increments } from './members.ts';

/** An attempt of a charge that has ended. */
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

    /**
     * Resolves to the number of ids that have a record, and to what allowances include, by {@link allowanceKey}. One command reads both, and
     * of the charges only the index.
     */
    async countWithIncluded(
      ids: readonly string[],
      allowances: readonly string[],
      maxTimeMS: number,
    ): Promise<{ count: number; included: Map<string, Units> }> {
      if (ids.length === 0) return { count: 0, included: new Map() };
      const ofAllowances = [{ $match: { _id: { $in: [...allowances] } } }, { $project: { included: 1 } }];
      const found = await collection
        .aggregate<{ _id: null; count: number } | { _id: string; included: Units }>(
          [
            { $match: { _id: { $in: [...ids] } } },
            { $group: { _id: null, count: { $sum: 1 } } },
            { $unionWith: { coll: 'allowances', pipeline: ofAllowances } },
          ],
          { maxTimeMS, batchSize: allowances.length + 2 },
        )
        .toArray();
      const included = new Map(found.flatMap((row) => ('included' in row ? [[row._id, unitsOf(row.included)]] : [])));
      return { count: found.find((row) => 'count' in row)?.count ?? 0, included };
    },

    async insert(charges: readonly Charge[], transactionToken: string, nowMs: number, tx: Tx): Promise<void> {
      if (charges.length === 0) return;
      await collection.insertMany(
        charges.map((charge) => toDocument(charge, { transactionToken, nowMs, retentionMs })),
        { ...tx, ordered: true },
      );
    },

    /** Replaces each charge. Rejects if its attempt is not `before`. */
    async replace(
      replacements: readonly { charge: Charge; before: number }[],
      transactionToken: string,
      nowMs: number,
      tx: Tx,
    ): Promise<void> {
      if (replacements.length === 0) return;
      const result = await collection.bulkWrite(
        replacements.map(({ charge, before }) => ({
          replaceOne: {
            filter: { _id: charge.id, attempt: before },
            replacement: withoutId(toDocument(charge, { transactionToken, nowMs, retentionMs })),
          },
        })),
        tx,
      );
      if (result.matchedCount !== replacements.length) throw new Error('a charge changed within its transaction');
    },

    /** Marks attempts as ended if they are still the latest ones. */
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

    /** Adds refunded units to the record of an attempt, which has to be the latest one of its charge. */
    async addRefund(attempt: Pick<Attempt, 'chargeId' | 'number'>, units: Units, tx: Tx): Promise<void> {
      const result = await collection.updateOne(
        { _id: attempt.chargeId, attempt: attempt.number },
        { $inc: increments('refunded', units) },
        tx,
      );
      if (result.matchedCount !== 1) throw new Error('a charge changed within its transaction');
    },

    /** Marks the latest attempts of charges as confirmed, because a retry gets them as its response. */
    async confirm(ids: readonly string[], tx: Tx): Promise<void> {
      if (ids.length === 0) return;
      await collection.updateMany({ _id: { $in: [...ids] } }, { $set: { confirmed: true } }, tx);
    },

    /** Marks charges as ended, in one update, if their latest attempt expired by `expiredMs`. */
    async closeExpired(ids: readonly string[], expiredMs: number, nowMs: number, maxTimeMS: number): Promise<void> {
      if (ids.length === 0) return;
      await collection.updateMany(
        { _id: { $in: [...ids] }, sweepAt: { $lte: new Date(expiredMs) } },
        { $unset: { sweepAt: true }, $set: { forgetAt: new Date(nowMs + retentionMs) } },
        { maxTimeMS },
      );
    },

    /** Resolves to charges whose latest attempt expired by `expiredMs` and is not marked as ended, oldest first. */
    async expired(expiredMs: number, limit: number, maxTimeMS: number): Promise<Charge[]> {
      const found = await collection
        .find({ sweepAt: { $lte: new Date(expiredMs) } }, { maxTimeMS, batchSize: limit })
        .sort({ sweepAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(toCharge);
    },

    /** Resolves to charges of the periods, if their latest attempt is not marked as ended. */
    async maybeOpen(periods: readonly PeriodOf[], limit: number, tx: Tx): Promise<Charge[]> {
      const ofPeriod = ({ workspaceId, periodStartMs }: PeriodOf) => ({
        workspaceId,
        periodStart: new Date(periodStartMs),
        sweepAt: { $exists: true },
      });
      const found = await collection
        .find({ $or: periods.map(ofPeriod) }, { ...tx, batchSize: 5_000 })
        .limit(limit)
        .toArray();
      return found.map(toCharge);
    },

    /** Resolves to the number of charges whose attempt was opened by the transaction with this token. */
    countByTransactionToken(ids: readonly string[], transactionToken: string, maxTimeMS: number): Promise<number> {
      return collection.countDocuments({ _id: { $in: [...ids] }, ticket: transactionToken }, { maxTimeMS });
    },
  };
}
