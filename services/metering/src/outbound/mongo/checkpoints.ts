import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { allowanceKey } from '../../domain/fold.ts';
import { type Units, unitsOf } from '../../domain/units.ts';

/**
 * Sums of the ledger up to an instant, so that comparing a busy workspace costs what was recorded since and not the whole
 * month. They are a shortcut only: before anything is repaired, the whole period is summed again.
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
  /** By key. */
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
