import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Refund } from '../../domain/refund.ts';

/**
 * Refunds, one per job. A refund is open while no attempt of its charge is known to be counted; `retryAt` exists then. The ledger entry
 * and the end of the refund are one transaction.
 */
interface RefundDocument extends Omit<Refund, 'jobId'> {
  _id: string;
  /** The attempt with the ledger entry of the refund; null before it, and after the attempt was reversed. */
  attempt: number | null;
  /** When the next attempt to settle the refund is due. Absent: the refund is settled, or it has ended without an effect. */
  retryAt?: Date;
  forgetAt: Date;
}

export const refundIndexes = [
  { key: { retryAt: 1 }, options: { sparse: true } },
  { key: { chargeId: 1 }, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
] as const;

export type RefundStore = ReturnType<typeof createRefundStore>;

export function createRefundStore(db: Db, retentionMs: number) {
  const collection: Collection<RefundDocument> = db.collection('refunds');
  const forgetAt = (nowMs: number) => new Date(nowMs + retentionMs);

  return {
    /** Adds refunds that are not known yet, each of them open. */
    async add(refunds: readonly Refund[], nowMs: number, maxTimeMS: number): Promise<void> {
      if (refunds.length === 0) return;
      await collection.bulkWrite(
        refunds.map(({ jobId, ...refund }) => ({
          updateOne: {
            filter: { _id: jobId },
            update: {
              $setOnInsert: { ...refund, attempt: null, retryAt: new Date(nowMs), forgetAt: forgetAt(nowMs) },
            },
            upsert: true,
          },
        })),
        { ordered: false, maxTimeMS },
      );
    },

    /** The refund if it is open. */
    async findOpen(jobId: string, tx: Tx): Promise<Refund | undefined> {
      const found = await collection.findOne({ _id: jobId, retryAt: { $exists: true } }, tx);
      return found ? toRefund(found) : undefined;
    },

    /** Open refunds whose next attempt is due, the longest due first. */
    async due(atMs: number, limit: number, maxTimeMS: number): Promise<Refund[]> {
      const found = await collection
        .find({ retryAt: { $lte: new Date(atMs) } }, { maxTimeMS })
        .sort({ retryAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(toRefund);
    },

    countOpen: (maxTimeMS: number): Promise<number> =>
      collection.countDocuments({ retryAt: { $exists: true } }, { maxTimeMS }),

    /** Ends an open refund: by an attempt, or without an effect (null). */
    async end(jobId: string, attempt: number | null, nowMs: number, tx: Tx): Promise<void> {
      await collection.updateOne(
        { _id: jobId, retryAt: { $exists: true } },
        { $set: { attempt, forgetAt: forgetAt(nowMs) }, $unset: { retryAt: true } },
        tx,
      );
    },

    async retryAt(jobId: string, atMs: number, maxTimeMS: number): Promise<void> {
      await collection.updateOne(
        { _id: jobId, retryAt: { $exists: true } },
        { $set: { retryAt: new Date(atMs) } },
        { maxTimeMS },
      );
    },

    /** The attempt was reversed with its refunds, so they are open again for a later attempt of the charge. */
    async reopen(reversed: readonly { chargeId: string; attempt: number }[], nowMs: number, tx: Tx): Promise<void> {
      for (const { chargeId, attempt } of reversed) {
        await collection.updateMany(
          { chargeId, attempt },
          { $set: { attempt: null, retryAt: new Date(nowMs), forgetAt: forgetAt(nowMs) } },
          tx,
        );
      }
    },
  };
}

function toRefund({ _id, workspaceId, chargeId, unit, jobCreatedAtMs, canceledAtMs }: RefundDocument): Refund {
  return { jobId: _id, workspaceId, chargeId, unit, jobCreatedAtMs, canceledAtMs };
}
