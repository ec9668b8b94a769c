import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { allowanceKey } from '../../domain/fold.ts';
import type { KeyUsage } from '../../domain/key-usage.ts';
import { type Units, unitsOf } from '../../domain/units.ts';
import { daysOf, daysToStore } from './days.ts';

/**
 * Sums of the ledger up to an instant. With them the reconciler reads only the entries since then, not the whole month.
 * A difference -> the whole period is summed again before the repair.
 */
interface CheckpointDocument {
  _id: string;
  workspaceId: string;
  periodStart: Date;
  until: Date;
  /** By key id. */
  used: Record<string, Units>;
  /** By key id and name of the day. Absent in checkpoints of earlier versions. */
  days?: Record<string, Record<string, Partial<Units>>>;
}

export interface Checkpoint {
  untilMs: number;
  /** By key id. */
  usage: ReadonlyMap<string, KeyUsage>;
}

export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

export function createCheckpointStore(db: Db) {
  const collection: Collection<CheckpointDocument> = db.collection('checkpoints');

  return {
    async find(workspaceId: string, periodStartMs: number, tx: Tx): Promise<Checkpoint> {
      const found = await collection.findOne({ _id: allowanceKey(workspaceId, periodStartMs) }, tx);
      if (!found) return { untilMs: 0, usage: new Map() };
      const usage = Object.entries(found.used).map(
        ([keyId, units]) => [keyId, { used: unitsOf(units), days: daysOf(found.days?.[keyId]) }] as const,
      );
      return { untilMs: found.until.getTime(), usage: new Map(usage) };
    },

    async remove(workspaceId: string, periodStartMs: number, tx: Tx): Promise<void> {
      await collection.deleteOne({ _id: allowanceKey(workspaceId, periodStartMs) }, tx);
    },

    async put(workspaceId: string, periodStartMs: number, checkpoint: Checkpoint, tx: Tx): Promise<void> {
      const usage = [...checkpoint.usage];
      await collection.replaceOne(
        { _id: allowanceKey(workspaceId, periodStartMs) },
        {
          workspaceId,
          periodStart: new Date(periodStartMs),
          until: new Date(checkpoint.untilMs),
          used: Object.fromEntries(usage.map(([keyId, { used }]) => [keyId, used])),
          days: Object.fromEntries(usage.map(([keyId, key]) => [keyId, daysToStore(key)])),
        },
        { ...tx, upsert: true },
      );
    },
  };
}
