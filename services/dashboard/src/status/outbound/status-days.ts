import { dayMs, daySeconds, minuteMs } from '@shopscope/clock';
import { type IndexDefinition, unlessDuplicate } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { DayOfPart, ServicePart } from '../domain/service-status.ts';

/**
 * The minutes in which each part of the service worked, in one document per UTC day.
 *
 * - Concurrency: each minute is counted once, by the first instance. The update requires an older `minute`.
 * - Documents expire {@link keptSeconds} after their day.
 */
interface StatusDay {
  /** The first instant of the day, in milliseconds since 1970. */
  _id: number;
  day: Date;
  /** The latest counted minute, in minutes since 1970. */
  minute: number;
  measured: Partial<Record<ServicePart, number>>;
  failed: Partial<Record<ServicePart, number>>;
  /** The parts that did not work in that minute. */
  failing: ServicePart[];
}

/** Longer than the days that the page shows. */
const keptSeconds = 92 * daySeconds;

export const statusDayIndexes: readonly IndexDefinition[] = [
  { key: { day: 1 }, options: { expireAfterSeconds: keptSeconds } },
];

export function createStatusDayStore(db: Db) {
  const collection = db.collection<StatusDay>('status_days');
  let lastRead: StatusDay[] | undefined;
  return {
    /** Counts a minute with its measurements. Nothing changes if the minute was counted before. */
    async count(nowMs: number, isWorking: Partial<Record<ServicePart, boolean>>): Promise<void> {
      const minute = Math.floor(nowMs / minuteMs);
      const day = Math.floor(nowMs / dayMs) * dayMs;
      const parts = Object.keys(isWorking) as ServicePart[];
      const failing = parts.filter((part) => !isWorking[part]);
      const increments = [
        ...parts.map((part) => [`measured.${part}`, 1] as const),
        ...failing.map((part) => [`failed.${part}`, 1] as const),
      ];
      const update = { $inc: Object.fromEntries(increments), $set: { minute, failing, day: new Date(day) } };
      // A duplicate-key error means that the document exists with this minute or a later one.
      await unlessDuplicate(collection.updateOne({ _id: day, minute: { $lt: minute } }, update, { upsert: true }));
    },

    /** The days of every part from `fromMs` on, and the latest minute. The database does not answer -> the result of its last answer. */
    async read(fromMs: number, maxTimeMS: number) {
      const found = collection.find({ _id: { $gte: fromMs } }, { maxTimeMS }).sort({ _id: 1 });
      const documents = await found.toArray().catch((error: unknown) => {
        if (lastRead) return lastRead;
        throw error;
      });
      lastRead = documents;
      const latest = documents.at(-1);
      const daysOf = (part: ServicePart): DayOfPart[] =>
        documents.map(({ _id, measured, failed }) => ({
          dayMs: _id,
          measured: measured?.[part] ?? 0,
          failed: failed?.[part] ?? 0,
        }));
      return {
        daysOf,
        latest: latest && { atMs: latest.minute * minuteMs, failing: new Set(latest.failing) },
      };
    },
  };
}
