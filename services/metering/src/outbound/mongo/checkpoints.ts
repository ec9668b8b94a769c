import { type Environment, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import { type Units, unitsOf } from '@shopscope/proto';
import type { Collection, Db } from 'mongodb';
import { allowanceKey } from '../../domain/fold.ts';
import type { KeyUsage } from '../../domain/key-usage.ts';
import type { PeriodOf } from '../../domain/period.ts';
import { daysOf, daysToStore, deleteSomeById } from './members.ts';

/**
 * Sums of the ledger up to an instant. With them, the reconciler reads only the entries since then instead of the whole
 * month. If a projection differs, the whole period is summed again before the repair.
 */
interface CheckpointDocument {
  _id: string;
  workspaceId: string;
  periodStart: Date;
  until: Date;
  /** By key id. */
  used: Record<string, Units>;
  /** The used units, by key id and name of the day. */
  days: Record<string, Record<string, Partial<Units>>>;
}

/** An id is an {@link allowanceKey}, which begins with the workspace. */
export const checkpointShardKey = { _id: 1 } as const;

export interface Checkpoint {
  untilMs: number;
  /** By key id. */
  usage: ReadonlyMap<string, KeyUsage>;
}

export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

export function createCheckpointStore(db: Db, environment: Environment) {
  const collection: Collection<CheckpointDocument> = db.collection(nameIn(environment, 'checkpoints', '_'));

  return {
    deleteSome: (workspaceId: string, limit: number, maxTimeMS: number) =>
      deleteSomeById(collection, workspaceId, limit, maxTimeMS),

    /** Resolves to checkpoints by {@link allowanceKey}. */
    async findMany(keys: readonly string[], tx: Tx): Promise<Map<string, Checkpoint>> {
      const found = await collection.find({ _id: { $in: [...keys] } }, { ...tx, batchSize: 10_000 }).toArray();
      return new Map(found.map((document) => [document._id, toCheckpoint(document)]));
    },

    async remove(workspaceId: string, periodStartMs: number, tx: Tx): Promise<void> {
      await collection.deleteOne({ _id: allowanceKey(workspaceId, periodStartMs) }, tx);
    },

    async put(checkpoints: readonly (PeriodOf & Checkpoint)[], tx: Tx): Promise<void> {
      if (checkpoints.length === 0) return;
      await collection.bulkWrite(
        checkpoints.map(({ workspaceId, periodStartMs, untilMs, usage }) => ({
          replaceOne: {
            filter: { _id: allowanceKey(workspaceId, periodStartMs) },
            replacement: {
              workspaceId,
              periodStart: new Date(periodStartMs),
              until: new Date(untilMs),
              used: Object.fromEntries([...usage].map(([keyId, { used }]) => [keyId, used])),
              days: Object.fromEntries([...usage].map(([keyId, key]) => [keyId, daysToStore(key)])),
            },
            upsert: true,
          },
        })),
        tx,
      );
    },
  };
}

function toCheckpoint({ until, used, days }: CheckpointDocument): Checkpoint {
  const usage = Object.entries(used).map(
    ([keyId, units]) => [keyId, { used: unitsOf(units), days: daysOf(days[keyId]) }] as const,
  );
  return { untilMs: until.getTime(), usage: new Map(usage) };
}
