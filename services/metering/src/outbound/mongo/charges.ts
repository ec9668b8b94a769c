import { type Environment, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import { type Units, unitsOf } from '@shopscope/proto';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db } from 'mongodb';
import type { Attempt } from '../../domain/attempt.ts';
import type { Charge } from '../../domain/charge.ts';
import type { PeriodOf } from '../../domain/period.ts';
import { type ChargeDocument, toCharge, toDocument, withoutId } from './charge-document.ts';
import { idIndex, increments } from './members.ts';

/** An attempt of a charge that has ended. */
export interface EndedAttempt {
  workspaceId: string;
  chargeId: string;
  attempt: number;
}

/** Charges that are named by their ids. */
export interface ChargeIds {
  /** Their workspaces. A charge of another workspace is not found. */
  workspaceIds: readonly string[];
  ids: readonly string[];
}

/**
 * Every command of a request except `ownersOf` has the workspace in its filter, so one shard executes it. All charges of a workspace are on one shard, so
 * their ids are unique there.
 */
export const chargeShardKey = { workspaceId: 1 } as const;

const openIndex = { workspaceId: 1, sweepAt: 1 } as const;
export const chargeIndexes = [
  { key: { sweepAt: 1 }, options: { sparse: true } },
  { key: openIndex, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
] as const;

export type ChargeStore = ReturnType<typeof createChargeStore>;

export function createChargeStore(db: Db, environment: Environment, retentionMs: number) {
  const collection: Collection<ChargeDocument> = db.collection(nameIn(environment, 'charges', '_'));

  return {
    deleteSome: (workspaceId: string, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, { workspaceId, environment }, limit, maxTimeMS),

    async hasAny(workspaceId: string, tx: Tx): Promise<boolean> {
      return (await collection.findOne({ workspaceId }, { ...tx, projection: { _id: 1 } })) !== null;
    },

    async find(charges: ChargeIds, tx: Tx | { maxTimeMS: number }): Promise<Map<string, Charge>> {
      if (charges.ids.length === 0) return new Map();
      const found = await collection.find(named(charges), { ...tx, hint: idIndex, batchSize: 5_000 }).toArray();
      return new Map(found.map((document) => [document._id, toCharge(document)]));
    },

    /** Resolves to the workspaces of charges of any workspace. Every shard executes it, so it only follows a duplicate key. */
    async ownersOf(ids: readonly string[], maxTimeMS: number): Promise<Map<string, string>> {
      const found = await collection
        .find({ _id: { $in: [...ids] } }, { maxTimeMS, projection: { workspaceId: 1 }, batchSize: 5_000 })
        .toArray();
      return new Map(found.map(({ _id, workspaceId }) => [_id, workspaceId]));
    },

    /**
     * Resolves to the number of ids that have a record, and to what allowances include, by {@link allowanceKey}. One command reads both.
     */
    async countWithIncluded(
      charges: ChargeIds,
      allowances: readonly string[],
      maxTimeMS: number,
    ): Promise<{ count: number; included: Map<string, Units> }> {
      if (charges.ids.length === 0) return { count: 0, included: new Map() };
      const ofAllowances = [{ $match: { _id: { $in: [...allowances] } } }, { $project: { included: 1 } }];
      const found = await collection
        .aggregate<{ _id: null; count: number } | { _id: string; included: Units }>(
          [
            { $match: named(charges) },
            { $group: { _id: null, count: { $sum: 1 } } },
            { $unionWith: { coll: nameIn(environment, 'allowances', '_'), pipeline: ofAllowances } },
          ],
          { maxTimeMS, hint: idIndex, batchSize: allowances.length + 2 },
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
            filter: { _id: charge.id, workspaceId: charge.workspaceId, attempt: before },
            hint: idIndex,
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
        ended.map(({ workspaceId, chargeId, attempt }) => ({
          updateOne: {
            filter: { _id: chargeId, workspaceId, attempt },
            hint: idIndex,
            update: { $unset: { sweepAt: true }, $set: { forgetAt: new Date(nowMs + retentionMs) } },
          },
        })),
        tx,
      );
    },

    /** Adds refunded units to the record of an attempt, which has to be the latest one of its charge. */
    async addRefund(
      { workspaceId, chargeId, number }: Pick<Attempt, 'workspaceId' | 'chargeId' | 'number'>,
      units: Units,
      tx: Tx,
    ): Promise<void> {
      const result = await collection.updateOne(
        { _id: chargeId, workspaceId, attempt: number },
        { $inc: increments('refunded', units) },
        { ...tx, hint: idIndex },
      );
      if (result.matchedCount !== 1) throw new Error('a charge changed within its transaction');
    },

    /** Marks the latest attempts of charges as confirmed, because a retry gets them as its response. */
    async confirm(charges: ChargeIds, tx: Tx): Promise<void> {
      if (charges.ids.length === 0) return;
      await collection.updateMany(named(charges), { $set: { confirmed: true } }, { ...tx, hint: idIndex });
    },

    /** Marks charges as ended, in one update, if their latest attempt expired by `expiredMs`. */
    async closeExpired(charges: ChargeIds, expiredMs: number, nowMs: number, maxTimeMS: number): Promise<void> {
      if (charges.ids.length === 0) return;
      await collection.updateMany(
        { ...named(charges), sweepAt: { $lte: new Date(expiredMs) } },
        { $unset: { sweepAt: true }, $set: { forgetAt: new Date(nowMs + retentionMs) } },
        { maxTimeMS, hint: idIndex },
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
        // Unlike $exists, a comparison is a range of the index.
        sweepAt: { $gt: new Date(0) },
      });
      const found = await collection
        .find({ $or: periods.map(ofPeriod) }, { ...tx, hint: openIndex, batchSize: 5_000 })
        .limit(limit)
        .toArray();
      return found.map(toCharge);
    },

    /** Resolves to the number of charges whose attempt was opened by the transaction with this token. */
    countByTransactionToken(charges: ChargeIds, transactionToken: string, maxTimeMS: number): Promise<number> {
      return collection.countDocuments({ ...named(charges), ticket: transactionToken }, { maxTimeMS, hint: idIndex });
    },
  };
}

const named = ({ workspaceIds, ids }: ChargeIds) => ({
  _id: { $in: [...ids] },
  workspaceId: { $in: [...workspaceIds] },
});
