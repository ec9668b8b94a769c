import { daySeconds } from '@shopscope/clock';
import type { IndexDefinition } from '@shopscope/mongo';
import type { KeyActivity } from '@shopscope/proto';
import type { Db } from 'mongodb';

/**
 * Responses of the gateways by key and UTC hour.
 *
 * - There is one document per key, hour and gateway process. It keeps the sequence of the latest counted report.
 * - A repeated report has no higher sequence and changes nothing. No transaction is needed, because a report concerns one document.
 * - Documents expire {@link keptSeconds} after their hour.
 */
interface ActivityDocument extends ResponseCounts {
  /** Format: workspace/key/hour/process */
  _id: string;
  workspaceId: string;
  keyId: string;
  hourStart: Date;
  sequence: number;
}

/** Longer than the week that the pages show. */
const keptSeconds = 8 * daySeconds;

export const keyActivityIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1, hourStart: 1 }, options: {} },
  { key: { hourStart: 1 }, options: { expireAfterSeconds: keptSeconds, name: 'expiry' } },
];

/** Responses by class of status code. `limited` is a part of `clientErrors`. */
export const responseClasses = ['succeeded', 'clientErrors', 'serverErrors', 'limited'] as const;
export type ResponseCounts = Record<(typeof responseClasses)[number], number>;

export interface HourOfKey extends ResponseCounts {
  hourStartMs: number;
  keyId: string;
}

export function createKeyActivityStore(db: Db) {
  const collection = db.collection<ActivityDocument>('key_activity');
  return {
    /** Counts reports in their order. */
    async count(reports: readonly KeyActivity[]): Promise<void> {
      if (reports.length === 0) return;
      await collection.bulkWrite(
        reports.map((report) => ({
          updateOne: {
            filter: { _id: idOf(report), workspaceId: report.workspaceId },
            update: [{ $set: changesOf(report) }],
            upsert: true,
          },
        })),
      );
    },

    /** Counts by hour and key, summed over all gateways, oldest hour first. At most `limit` rows. */
    async hours(
      options: { workspaceId: string; fromMs: number; keyId?: string; limit: number },
      maxTimeMS: number,
    ): Promise<HourOfKey[]> {
      const { workspaceId, fromMs, keyId, limit } = options;
      const sums = Object.fromEntries(responseClasses.map((name) => [name, { $sum: `$${name}` }]));
      const rows = await collection
        .aggregate<ResponseCounts & { _id: { hourStart: Date; keyId: string } }>(
          [
            { $match: { workspaceId, hourStart: { $gte: new Date(fromMs) }, ...(keyId && { keyId }) } },
            { $group: { _id: { hourStart: '$hourStart', keyId: '$keyId' }, ...sums } },
            { $sort: { _id: 1 } },
            { $limit: limit },
          ],
          { maxTimeMS },
        )
        .toArray();
      return rows.map(({ _id, ...counts }) => ({ hourStartMs: _id.hourStart.getTime(), keyId: _id.keyId, ...counts }));
    },
  };
}

function idOf({ workspaceId, keyId, hourStartMs, instanceId }: KeyActivity): string {
  return `${workspaceId}/${keyId}/${new Date(hourStartMs).toISOString()}/${instanceId}`;
}

function changesOf(report: KeyActivity) {
  const { keyId, hourStartMs, sequence } = report;
  const isNew = { $gt: [sequence, { $ifNull: ['$sequence', 0] }] };
  const counts = responseClasses.map((name) => [
    name,
    { $add: [{ $ifNull: [`$${name}`, 0] }, { $cond: [isNew, report[name], 0] }] },
  ]);
  return {
    keyId: { $literal: keyId },
    hourStart: new Date(hourStartMs),
    sequence: { $max: ['$sequence', sequence] },
    ...Object.fromEntries(counts),
  };
}
