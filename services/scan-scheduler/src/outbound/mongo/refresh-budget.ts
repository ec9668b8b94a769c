import type { Collection, Db } from 'mongodb';
import { dayOf, type RefreshPolicy, refreshBacklogMs, refreshIntervalMs } from '../../domain/refresh.ts';

interface BudgetDocument {
  _id: 'refresh';
  /** The latest day of which a refresh was taken, and how many were taken in it. */
  day: string;
  spent: number;
  /** From here on refreshes are unspent. */
  unspentFromMs: number;
  /** Number that the latest update took. */
  taken: number;
}

/**
 * The budget of refreshes, one document for all instances.
 *
 * - Concurrency: one atomic update, so instances share the budget. It waits for a majority, so a restart or a change of primary does
 *   not forget it.
 * - Instances whose clocks differ at midnight -> the day never goes back, so no day gets its budget twice.
 * - The instance ends before it queues the scans -> these refreshes are lost for the day.
 */
export function createRefreshBudgetStore(db: Db) {
  const collection: Collection<BudgetDocument> = db.collection('refresh_budget');

  return {
    /** Takes up to `count` refreshes. Returns how many it took. */
    async take(count: number, policy: Pick<RefreshPolicy, 'perDay'>, at: Date): Promise<number> {
      const atMs = at.getTime();
      const day = dayOf(at);
      const intervalMs = refreshIntervalMs(policy);
      const unspent = { $floor: { $divide: [{ $subtract: [atMs, '$unspentFromMs'] }, intervalMs] } };
      const document = await collection.findOneAndUpdate(
        { _id: 'refresh' },
        [
          {
            $set: {
              spent: { $cond: [{ $gt: [day, '$day'] }, 0, '$spent'] },
              day: { $max: [day, '$day'] },
              unspentFromMs: { $max: [atMs - refreshBacklogMs(policy), '$unspentFromMs'] },
            },
          },
          { $set: { taken: { $max: [0, { $min: [count, unspent, { $subtract: [policy.perDay, '$spent'] }] }] } } },
          {
            $set: {
              spent: { $add: ['$spent', '$taken'] },
              unspentFromMs: { $add: ['$unspentFromMs', { $multiply: ['$taken', intervalMs] }] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after' },
      );
      if (!document) throw new Error('an upsert returned nothing');
      return document.taken;
    },
  };
}
