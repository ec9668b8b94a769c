import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { allowanceKey } from '../../domain/fold.ts';
import { type Units, unitsOf } from '../../domain/units.ts';

/**
 * Sums of the ledger up to an instant. With them the reconciler reads only the entries since then, not the whole month.
 * A difference -> the whole period is summed again before the repair.
 */
interface CheckpointDocument {
  _id: string;
  workspaceId: string;
  periodStart: Date;
  until: Date;
  used: Record<string, Units>;
}

export interface Checkpoint {
  untilMs: number;
  /** Units by key id. */
  used: Map<string, Units>;
}

export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

export function createCheckpointStore(db: Db) {
  const collection: Collection<CheckpointDocument> = db.collection('checkpoints');

  return {
    async find(workspaceId: string, periodStartMs: number, tx: Tx): Promise<Checkpoint> {
      const found = await collection.findOne({ _id: allowanceKey(workspaceId, periodStartMs) }, tx);
      if (!found) return { untilMs: 0, used: new Map() };
      const used = Object.entries(found.used).map(([keyId, units]) => [keyId, unitsOf(units)] as const);
      return { untilMs: found.until.getTime(), used: new Map(used) };
    },

    async remove(workspaceId: string, periodStartMs: number, tx: Tx): Promise<void> {
      await collection.deleteOne({ _id: allowanceKey(workspaceId, periodStartMs) }, tx);
    },

    async put(workspaceId: string, periodStartMs: number, checkpoint: Checkpoint, tx: Tx): Promise<void> {
      await collection.replaceOne(
        { _id: allowanceKey(workspaceId, periodStartMs) },
        {
          workspaceId,
          periodStart: new Date(periodStartMs),
          until: new Date(checkpoint.untilMs),
          used: Object.fromEntries(checkpoint.used),
        },
        { ...tx, upsert: true },
      );
    },
  };
}
