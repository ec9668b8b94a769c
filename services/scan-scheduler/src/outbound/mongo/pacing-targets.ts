import type { IndexDefinition } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Reservation, Schedule } from '../../domain/pacing.ts';
import type { ScanKey } from '../../domain/scan.ts';

/** Times are milliseconds with fractions, because a slot may be shorter than a millisecond. */
interface TargetDocument extends Partial<LastTurn> {
  _id: string;
  /** The time of the next slot, per schedule. */
  requests?: number;
  visits?: number;
  /** The wait of the latest reservation, or null if its slot was too late. Through this field an update returns its outcome. */
  waitMs?: number | null;
  forgetAt: Date;
}

/** The parked scan that got the latest turn, and the queue of that scan. */
export interface LastTurn {
  lastScan: ScanKey;
  lastQueue: string;
}

export const pacingTargetIndexes: IndexDefinition[] = [{ key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } }];

export interface PacingTargetStoreOptions {
  retentionMs: number;
  /** Returns the current time as an expression of the database. For tests with a manual clock. */
  now?(): string | Date;
}

/**
 * The schedules of pacing targets (domain/pacing.ts).
 *
 * - Concurrency: each reservation is one atomic update. Instances therefore never give a slot twice.
 * - The time is `$$NOW`, so the clocks of instances may differ. It is the clock of the primary or, in a sharded cluster, of the router that
 *   got the command. Each document has one schedule, and no time is compared with that of another document.
 * - The clock of a new primary or of another router is behind by up to 30 s -> slots come later by the difference. It is ahead -> the slots
 *   of one longest wait may be given twice. A time that no reservation can have written is ignored.
 * - A change of primary discards writes, because they do not wait for a majority -> a few slots are given twice.
 * - Bound: a target without a reservation for `retentionMs` is deleted. By then its slots have long passed.
 */
export function createPacingTargetStore(db: Db, options: PacingTargetStoreOptions) {
  const { retentionMs, now = () => '$$NOW' } = options;
  const collection: Collection<TargetDocument> = db.collection('pacing_targets', { readConcern: { level: 'local' } });
  const writeConcern = { w: 1 } as const;

  return {
    /** Takes the target's next slot. Resolves to the wait for it, or to null if the slot is too late. In that case it is not taken. */
    async reserve(
      key: string,
      schedule: Schedule,
      reservation: Reservation,
      maxTimeMS?: number,
    ): Promise<number | null> {
      const { burstMs, maxWaitMs, costMs, maxAheadMs } = reservation;
      const present = now();
      const nowMs = { $toLong: present };
      const next = `$${schedule}`;
      const after = (ms: number) => ({ $add: [nowMs, ms] });
      // These are the rules of slotOf (domain/pacing.ts).
      const kept = { $cond: [{ $gt: [next, after(maxAheadMs)] }, null, next] };
      const slot = { $max: [kept, after(-burstMs)] };
      const isTaken = { $lte: ['$waitMs', maxWaitMs] };
      const updated = await collection.findOneAndUpdate(
        { _id: key },
        [
          { $set: { waitMs: { $subtract: [slot, nowMs] }, forgetAt: { $add: [present, retentionMs] } } },
          {
            $set: {
              [schedule]: { $cond: [isTaken, { $add: [nowMs, '$waitMs', costMs] }, next] },
              waitMs: { $cond: [isTaken, '$waitMs', null] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after', writeConcern, ...(maxTimeMS && { maxTimeMS }) },
      );
      const waitMs = updated?.waitMs ?? null;
      return waitMs === null ? null : Math.max(0, waitMs);
    },

    /** Returns the wait for the next visit and the latest turn of each target that has been used. */
    async findTurns(keys: readonly string[]): Promise<Map<string, { waitMs: number } & Partial<LastTurn>>> {
      const waitMs = { $subtract: [{ $ifNull: ['$visits', 0] }, { $toLong: now() }] };
      const found = await collection
        .aggregate<{ _id: string; waitMs: number } & Partial<LastTurn>>([
          { $match: { _id: { $in: [...keys] } } },
          { $project: { waitMs, lastQueue: 1, lastScan: 1 } },
        ])
        .toArray();
      return new Map(found.map(({ _id, ...turns }) => [_id, turns]));
    },

    async setLastTurn(key: string, turn: LastTurn): Promise<void> {
      await collection.updateOne({ _id: key }, { $set: { ...turn } }, { writeConcern });
    },
  };
}
