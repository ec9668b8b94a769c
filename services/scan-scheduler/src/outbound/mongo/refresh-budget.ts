import type { Collection, Db } from 'mongodb';
import { dayOf, type RefreshPolicy, refreshBacklogMs, refreshIntervalMs } from '../../domain/refresh.ts';

interface BudgetDocument {
  _id: 'refresh';
  /** The latest day on which a refresh was taken, and the number of refreshes of that day. */
  day: string;
  spent: number;
  /** The time from which refreshes are unspent. */
  unspentFromMs: number;
  /** The number of refreshes that the latest update took. */
  taken: number;
}

/**
 * The budget of refreshes, one document for all instances.
 *
 * - Concurrency: one atomic update, so instances share the budget. It waits for a majority. A restart or a change of primary therefore does
 *   not lose it.
 * - The clocks of instances differ at midnight -> the day never goes back, so no day gets its budget twice.
 * - The instance ends before it queues the scans -> these refreshes are lost for the day.
 */
export function createRefreshBudgetStore(db: Db) {
  const collection: Collection<BudgetDocument> = db.collection('refresh_budget');

  return {
    /** Takes up to `count` refreshes. Returns the number that it took. */
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
