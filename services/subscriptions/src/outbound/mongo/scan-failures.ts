import { daySeconds } from '@shopscope/clock';
import { type Environment, type Handles, nameIn } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { failuresBeforeRest, restMs, type ScanFailure } from '../../domain/rescan.ts';

/** The latest scans of a store in a row that have failed for one reason. A store whose latest scan has succeeded has no document. */
interface FailureDocument {
  /** The domain of the store. */
  _id: string;
  code: string;
  count: number;
  /** The latest of the scans. */
  scanId: string;
  endedAt: Date;
}

/** Longer than a rest and the interval that follows it. With a longer interval, a store is asked rarely enough. */
const keptDays = 90;

export const scanFailureCollection = {
  indexes: [{ key: { endedAt: 1 }, options: { expireAfterSeconds: keptDays * daySeconds } }],
  shardKey: { _id: 1 },
} as const satisfies CollectionDefinition;

export type ScanFailureStore<E extends Environment> = Handles<E> & ReturnType<typeof scanFailureStore<E>>;

/** The failures of scans, whoever asked for them. Every command has the shard key. */
export const createScanFailureStore = <E extends Environment>(db: Db, environment: E): ScanFailureStore<E> =>
  scanFailureStore(db.collection<FailureDocument>(nameIn(environment, 'scan_failures', '_')), environment);

function scanFailureStore<E extends Environment>(collection: Collection<FailureDocument>, environment: E) {
  return {
    environment,

    /** Counts failures. A scan that was counted before, or has ended before a counted one, changes nothing. */
    async count(failures: readonly ScanFailure[], maxTimeMS: number): Promise<void> {
      const updates = failures.map(({ domain, scanId, code, endedAt }) => {
        const isLater = { $lt: [{ $ifNull: ['$endedAt', new Date(0)] }, endedAt] };
        const isNew = { $and: [isLater, { $ne: ['$scanId', { $literal: scanId }] }] };
        const isInRow = { $eq: ['$code', { $literal: code }] };
        const next = {
          scanId: { $literal: scanId },
          endedAt,
          code: { $literal: code },
          count: { $cond: [isInRow, { $add: ['$count', 1] }, 1] },
        };
        const members = Object.entries(next).map(([name, value]) => [name, { $cond: [isNew, value, `$${name}`] }]);
        return {
          updateOne: { filter: { _id: domain }, update: [{ $set: Object.fromEntries(members) }], upsert: true },
        };
      });
      if (updates.length > 0) await collection.bulkWrite(updates, { ordered: true, maxTimeMS });
    },

    /** Forgets the failures of stores up to a scan that has succeeded. */
    async forget(scans: readonly { domain: string; at: Date }[], maxTimeMS: number): Promise<void> {
      const before = scans.map(({ domain, at }) => ({ _id: domain, endedAt: { $lte: at } }));
      if (before.length > 0) await collection.deleteMany({ $or: before }, { maxTimeMS });
    },

    /** Returns those of the stores that rest after failures. */
    async resting(domains: readonly string[], now: Date, tx: Tx): Promise<Set<string>> {
      const since = new Date(now.getTime() - restMs);
      const query = { _id: { $in: [...domains] }, count: { $gte: failuresBeforeRest }, endedAt: { $gt: since } };
      return new Set((await collection.find(query, { ...tx }).toArray()).map(({ _id }) => _id));
    },
  };
}
