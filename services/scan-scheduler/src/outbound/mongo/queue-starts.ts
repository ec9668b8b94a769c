import type { IndexDefinition } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { QueueStarts } from '../../domain/fair-order.ts';

interface QueueDocument extends Partial<QueueStarts> {
  _id: string;
  forgetAt: Date;
}

interface VirtualTimeDocument {
  _id: 'virtual-time';
  start: number;
}

export const queueStartIndexes: IndexDefinition[] = [{ key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } }];

/**
 * The starts of queues and the virtual time (domain/fair-order.ts).
 *
 * - Concurrency: each change is one atomic update outside of transactions. In transactions, all concurrent requests of a workspace would
 *   conflict.
 * - The transaction of the scan aborts -> its start stays unused, and the queue loses one turn.
 * - A change of primary discards writes, because they do not wait for a majority -> some starts are given twice. The order is less fair for
 *   these scans. No scan is lost.
 * - Bound: a queue without a request for `retentionMs` is deleted. If its scans still wait then, new scans get starts beside theirs.
 */
export function createQueueStartStore(db: Db, options: { retentionMs: number }) {
  const queues: Collection<QueueDocument> = db.collection('queue_starts', { readConcern: { level: 'local' } });
  const times: Collection<VirtualTimeDocument> = db.collection('virtual_time', { readConcern: { level: 'local' } });
  const writeConcern = { w: 1 } as const;
  const forgetAt = (at: Date) => new Date(at.getTime() + options.retentionMs);

  return {
    async virtualTime(maxTimeMS?: number): Promise<number> {
      const found = await times.findOne({ _id: 'virtual-time' }, { ...(maxTimeMS && { maxTimeMS }) });
      return found?.start ?? 0;
    },

    async raiseVirtualTime(start: number): Promise<void> {
      await times.updateOne({ _id: 'virtual-time' }, { $max: { start } }, { upsert: true, writeConcern });
    },

    /**
     * Takes the starts of `count` new scans, and returns the first of them. It is the `newStart` of the domain layer, or the virtual time
     * if the queue `isIdle`.
     */
    async take(
      queue: string,
      { count, isIdle, virtualTime, at }: { count: number; isIdle: boolean; virtualTime: number; at: Date },
      maxTimeMS: number,
    ): Promise<number> {
      const from = isIdle ? virtualTime : { $max: ['$next', virtualTime] };
      const taken = await queues.findOneAndUpdate(
        { _id: queue },
        [{ $set: { next: { $add: [from, count] }, forgetAt: forgetAt(at) } }],
        { upsert: true, returnDocument: 'after', writeConcern, maxTimeMS },
      );
      if (taken?.next === undefined) throw new Error('an upsert returned nothing');
      return taken.next - count;
    },

    /** Returns the starts of the queues, with the time of the latest take of each queue. */
    async find(ids: readonly string[], maxTimeMS?: number): Promise<Map<string, QueueStarts & { takenMs: number }>> {
      const found = await queues.find({ _id: { $in: [...ids] } }, { ...(maxTimeMS && { maxTimeMS }) }).toArray();
      return new Map(
        found.map(({ _id, next = 0, nextLate = 0, forgetAt: at }) => {
          return [_id, { next, nextLate, takenMs: at.getTime() - options.retentionMs }];
        }),
      );
    },

    /** Raises the next late starts. Two instances that place the same scans write the same values. */
    async raiseLate(nextLate: ReadonlyMap<string, number>, at: Date): Promise<void> {
      if (nextLate.size === 0) return;
      const operations = [...nextLate].map(([_id, start]) => ({
        updateOne: {
          filter: { _id },
          update: { $max: { nextLate: start, forgetAt: forgetAt(at) } },
          upsert: true,
        },
      }));
      await queues.bulkWrite(operations, { ordered: false, writeConcern });
    },
  };
}
