import { type Environment, nameIn } from '@shopscope/environment';
import { isDuplicateKey, type Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import { type Collection, type Db, MongoBulkWriteError } from 'mongodb';
import type { Refund } from '../../domain/refund.ts';

/**
 * Refunds, one per job. A refund is open, and has `retryAt`, while no attempt of its charge is known to be counted. One transaction
 * writes the ledger entry and ends the refund.
 */
interface RefundDocument extends Omit<Refund, 'jobId'> {
  _id: string;
  /** The attempt with the ledger entry of the refund. It is null before that entry, and after the attempt was reversed. */
  attempt: number | null;
  /** When the next try to settle the refund is due. It is absent if the refund is settled, or has ended without an effect. */
  retryAt?: Date;
  forgetAt: Date;
}

/** All refunds of a workspace are on one shard, so the ids of their jobs are unique there. */
export const refundShardKey = { workspaceId: 1 } as const;

export const refundIndexes = [
  { key: { retryAt: 1 }, options: { sparse: true } },
  { key: { workspaceId: 1, chargeId: 1 }, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
] as const;

type RefundId = Pick<Refund, 'jobId' | 'workspaceId'>;

export type RefundStore = ReturnType<typeof createRefundStore>;

export function createRefundStore(db: Db, environment: Environment, retentionMs: number) {
  const collection: Collection<RefundDocument> = db.collection(nameIn(environment, 'refunds', '_'));
  const forgetAt = (nowMs: number) => new Date(nowMs + retentionMs);

  return {
    deleteSome: (workspaceId: string, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, { workspaceId, environment }, limit, maxTimeMS),

    /** Adds the refunds that are not stored yet, as open. The id of a job of another workspace is a duplicate key and changes nothing. */
    async add(refunds: readonly Refund[], nowMs: number, maxTimeMS: number): Promise<void> {
      if (refunds.length === 0) return;
      const added = collection.bulkWrite(
        refunds.map(({ jobId, workspaceId, ...refund }) => ({
          updateOne: {
            filter: { _id: jobId, workspaceId },
            update: {
              $setOnInsert: { ...refund, attempt: null, retryAt: new Date(nowMs), forgetAt: forgetAt(nowMs) },
            },
            upsert: true,
          },
        })),
        { ordered: false, maxTimeMS },
      );
      await added.catch((error: unknown) => {
        if (!hasOnlyDuplicateKeys(error)) throw error;
      });
    },

    /** Resolves to the refund if it is open. */
    async findOpen(refund: RefundId, tx: Tx): Promise<Refund | undefined> {
      const found = await collection.findOne(ifOpen(refund), tx);
      return found ? toRefund(found) : undefined;
    },

    /** Resolves to the open refunds that are due, the longest due first. */
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

    /** Ends an open refund: with the attempt that got it, or without an effect (null). */
    async end(refund: RefundId, attempt: number | null, nowMs: number, tx: Tx): Promise<void> {
      await collection.updateOne(
        ifOpen(refund),
        { $set: { attempt, forgetAt: forgetAt(nowMs) }, $unset: { retryAt: true } },
        tx,
      );
    },

    async retryAt(refund: RefundId, atMs: number, maxTimeMS: number): Promise<void> {
      await collection.updateOne(ifOpen(refund), { $set: { retryAt: new Date(atMs) } }, { maxTimeMS });
    },

    /** Opens the refunds of reversed attempts again, for a later attempt of the charge. */
    async reopen(
      reversed: readonly { workspaceId: string; chargeId: string; attempt: number }[],
      nowMs: number,
      tx: Tx,
    ): Promise<void> {
      for (const { workspaceId, chargeId, attempt } of reversed) {
        await collection.updateMany(
          { workspaceId, chargeId, attempt },
          { $set: { attempt: null, retryAt: new Date(nowMs), forgetAt: forgetAt(nowMs) } },
          tx,
        );
      }
    },
  };
}

function hasOnlyDuplicateKeys(error: unknown): boolean {
  return (
    error instanceof MongoBulkWriteError &&
    isDuplicateKey(error) &&
    [error.writeErrors].flat().every(({ code }) => code === error.code) &&
    error.result.getWriteConcernError() === undefined
  );
}

const ifOpen = ({ jobId, workspaceId }: RefundId) => ({ _id: jobId, workspaceId, retryAt: { $exists: true } });

function toRefund({ _id, workspaceId, chargeId, unit, jobCreatedAtMs, canceledAtMs }: RefundDocument): Refund {
  return { jobId: _id, workspaceId, chargeId, unit, jobCreatedAtMs, canceledAtMs };
}
