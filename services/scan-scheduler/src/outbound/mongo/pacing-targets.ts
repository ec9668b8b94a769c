import type { IndexDefinition } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { type Reservation, type Schedule, slotOf } from '../../domain/pacing.ts';

/** Times are numbers of milliseconds with fractions, because a slot may be shorter than a millisecond. */
interface TargetDocument extends Partial<LastTurn> {
  _id: string;
  /** The next slot of each schedule. */
  requests?: number;
  visits?: number;
  forgetAt: Date;
}

/** The parked scan that got the latest turn, and its queue. */
export interface LastTurn {
  lastScan: string;
  lastQueue: string;
}

export const pacingTargetIndexes: IndexDefinition[] = [{ key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } }];

export type PacingTargetStore = ReturnType<typeof createPacingTargetStore>;

/**
 * The schedules of pacing targets (domain/pacing.ts).
 *
 * - Concurrency: each reservation is one atomic update, so instances never give a slot twice.
 * - The clocks of instances differ -> a target may get as many requests early as fit into the difference, once.
 * - A change of primary discards writes, because they do not wait for a majority -> a few slots are given twice.
 * - Bound: a target without a reservation for `retentionMs` is deleted. Its slots are long past then.
 */
export function createPacingTargetStore(db: Db, options: { retentionMs: number }) {
  const collection: Collection<TargetDocument> = db.collection('pacing_targets', { readConcern: { level: 'local' } });
  const writeConcern = { w: 1 } as const;

  return {
    /** Takes the next slot of the target. Resolves to its time; null when it is too late, and then nothing changes. */
    async reserve(
      key: string,
      schedule: Schedule,
      nowMs: number,
      reservation: Reservation,
      maxTimeMS?: number,
    ): Promise<number | null> {
      const { burstMs, maxWaitMs, costMs } = reservation;
      const slot = { $max: [`$${schedule}`, nowMs - burstMs] };
      const next = { $cond: [{ $lte: [slot, nowMs + maxWaitMs] }, { $add: [slot, costMs] }, `$${schedule}`] };
      const before = await collection.findOneAndUpdate(
        { _id: key },
        [{ $set: { [schedule]: next, forgetAt: new Date(nowMs + options.retentionMs) } }],
        { upsert: true, returnDocument: 'before', writeConcern, ...(maxTimeMS && { maxTimeMS }) },
      );
      return slotOf(before?.[schedule], nowMs, reservation);
    },

    /** The time of the next visit and the latest turn of each target that has been used. */
    async findTurns(keys: readonly string[]): Promise<Map<string, { nextVisitMs: number } & Partial<LastTurn>>> {
      const found = await collection.find({ _id: { $in: [...keys] } }).toArray();
      return new Map(
        found.map(({ _id, visits = 0, lastQueue, lastScan }) => [
          _id,
          { nextVisitMs: visits, ...(lastQueue !== undefined && { lastQueue }), ...(lastScan && { lastScan }) },
        ]),
      );
    },

    async setLastTurn(key: string, turn: LastTurn): Promise<void> {
      await collection.updateOne({ _id: key }, { $set: { ...turn } }, { writeConcern });
    },
  };
}
