import { type Environment, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import { isZero, type Units, unitsOf } from '@shopscope/proto';
import type { Collection, Db } from 'mongodb';
import { dayName } from '../../domain/day.ts';
import { allowanceKey, type CounterDelta, type CounterOf } from '../../domain/fold.ts';
import { daysWithUnits, type KeyUsage } from '../../domain/key-usage.ts';
import type { PeriodOf } from '../../domain/period.ts';
import type { Announced, Threshold } from '../../domain/threshold.ts';
import { daysOf, daysToStore, deleteSomeById, increments, touchedAt } from './members.ts';

/**
 * The usage per workspace and period, and per key within the period: sums of the ledger, changed in the same
 * transaction. Counting writes the counters and reserving writes the allowances, so the two do not conflict.
 *
 * The daily counters of a key are members of its counter. They therefore need no further command, and one read returns
 * consistent values of both.
 */
interface CounterDocument {
  /** The allowance and the key: see {@link allowanceKey}. */
  _id: string;
  workspaceId: string;
  periodStart: Date;
  /** It is '' for the counter of the workspace. */
  keyId: string;
  used: Partial<Units>;
  /** The daily counters, by the name of the day. They are empty or absent in counters of workspaces. */
  days?: Record<string, Partial<Units>>;
  /** The highest threshold that was announced, in the counter of a workspace. It is absent if none was. */
  announced?: Announced;
  touchedAt: Date;
}

/** The thresholds of an allowance that a change of its counter may reach. */
export interface CheckedThresholds extends PeriodOf {
  thresholds: readonly Threshold[];
}

export interface UsageCounter {
  workspaceId: string;
  keyId: string;
  used: Units;
}

type ReadOptions = Tx | { maxTimeMS: number; readConcern: 'snapshot' };

/** An id begins with the workspace, so the filters by id or by a range of ids contain it. */
export const usageCounterShardKey = { _id: 1 } as const;

const touchedIndex = { touchedAt: 1 } as const;
export const usageCounterIndexes = [
  { key: touchedIndex, options: { partialFilterExpression: { keyId: '' } } },
] as const;

export type UsageCounterStore = ReturnType<typeof createUsageCounterStore>;

export function createUsageCounterStore(db: Db, environment: Environment) {
  const collection: Collection<CounterDocument> = db.collection(nameIn(environment, 'usage_counters', '_'));
  const idOf = ({ workspaceId, periodStartMs, keyId }: CounterOf) =>
    `${allowanceKey(workspaceId, periodStartMs)}/${keyId}`;
  const inPeriod = (period: PeriodOf) => {
    const key = allowanceKey(period.workspaceId, period.periodStartMs);
    return { _id: { $gte: `${key}/`, $lt: `${key}0` } };
  };

  return {
    deleteSome: (workspaceId: string, limit: number, maxTimeMS: number) =>
      deleteSomeById(collection, workspaceId, limit, maxTimeMS),

    /**
     * Changes counters. Resolves to whether a counter may have reached a threshold that was not announced. The same command compares: an update
     * that changes nothing matches the counter if it has. The result of the command has the number of matches.
     */
    async add(
      deltas: readonly CounterDelta[],
      nowMs: number,
      tx: Tx,
      checked: readonly CheckedThresholds[] = [],
    ): Promise<boolean> {
      const changes = deltas.filter((delta) => !isZero(delta.used) || daysWithUnits(delta).length > 0);
      if (changes.length === 0) return false;
      const touched = touchedAt(nowMs);
      const increase = changes.map((delta) => ({
        updateOne: {
          filter: { _id: idOf(delta) },
          update: {
            $inc: Object.assign(
              increments('used', delta.used),
              ...daysWithUnits(delta).map(([day, units]) => increments(`days.${dayName(day)}`, units)),
            ),
            $set: { touchedAt: touched },
            $setOnInsert: {
              workspaceId: delta.workspaceId,
              periodStart: new Date(delta.periodStartMs),
              keyId: delta.keyId,
            },
          },
          upsert: true,
        },
      }));
      const compare = checked.map((period) => ({
        updateOne: {
          filter: { _id: idOf({ ...period, keyId: '' }), $or: period.thresholds.map(isReached) },
          update: { $set: { touchedAt: touched } },
        },
      }));
      const result = await collection.bulkWrite([...increase, ...compare], { ...tx, ordered: true });
      return result.matchedCount + result.upsertedCount > increase.length;
    },

    /** Resolves to the usage and the announced thresholds of workspaces, by {@link allowanceKey}. */
    async announcedOf(
      periods: readonly PeriodOf[],
      tx: Tx,
    ): Promise<Map<string, { used: Units; announced: Announced }>> {
      const ids = periods.map((period) => idOf({ ...period, keyId: '' }));
      const found = await collection.find({ _id: { $in: ids } }, { ...tx, batchSize: ids.length + 1 }).toArray();
      return new Map(
        found.map(({ workspaceId, periodStart, used, announced = {} }) => [
          allowanceKey(workspaceId, periodStart.getTime()),
          { used: unitsOf(used), announced },
        ]),
      );
    },

    async setAnnounced(changes: readonly (PeriodOf & { announced: Announced })[], tx: Tx): Promise<void> {
      if (changes.length === 0) return;
      const updates = changes.map(({ announced, ...period }) => ({
        updateOne: { filter: { _id: idOf({ ...period, keyId: '' }) }, update: { $set: { announced } } },
      }));
      await collection.bulkWrite(updates, { ...tx });
    },

    /** Repairs counters: sets them to the sums of the ledger. */
    async put(counters: readonly CounterDelta[], nowMs: number, tx: Tx): Promise<void> {
      if (counters.length === 0) return;
      await collection.bulkWrite(
        counters.map((counter) => ({
          updateOne: {
            filter: { _id: idOf(counter) },
            update: {
              $set: { used: counter.used, days: daysToStore(counter), touchedAt: touchedAt(nowMs) },
              $setOnInsert: {
                workspaceId: counter.workspaceId,
                periodStart: new Date(counter.periodStartMs),
                keyId: counter.keyId,
              },
            },
            upsert: true,
          },
        })),
        tx,
      );
    },

    /** Resolves to the usage of workspaces in a period. A workspace without usage is absent. */
    async usedBy(
      workspaceIds: readonly string[],
      periodStartMs: number,
      maxTimeMS: number,
    ): Promise<Map<string, Units>> {
      const ids = workspaceIds.map((workspaceId) => idOf({ workspaceId, periodStartMs, keyId: '' }));
      const found = await collection.find({ _id: { $in: ids } }, { maxTimeMS }).toArray();
      return new Map(found.map(({ workspaceId, used }) => [workspaceId, unitsOf(used)]));
    },

    /** Resolves to the usage of a workspace (keyId '') and of its keys. */
    async ofPeriod(workspaceId: string, periodStartMs: number, options: ReadOptions): Promise<UsageCounter[]> {
      const found = await collection
        .find(inPeriod({ workspaceId, periodStartMs }), { ...options, batchSize: 10_000, projection: { days: 0 } })
        .toArray();
      return found.map(({ keyId, used }) => ({ workspaceId, keyId, used: unitsOf(used) }));
    },

    /** Like {@link ofPeriod}, with the daily counters of the keys. */
    async ofPeriodByDay(
      workspaceId: string,
      periodStartMs: number,
      options: ReadOptions,
    ): Promise<(UsageCounter & KeyUsage)[]> {
      const found = await collection
        .find(inPeriod({ workspaceId, periodStartMs }), { ...options, batchSize: 10_000 })
        .toArray();
      return found.map(({ keyId, used, days }) => ({ workspaceId, keyId, used: unitsOf(used), days: daysOf(days) }));
    },

    /** Like {@link ofPeriodByDay}, for several periods, by {@link allowanceKey}. */
    async ofPeriodsByDay(periods: readonly PeriodOf[], tx: Tx): Promise<Map<string, (UsageCounter & KeyUsage)[]>> {
      const found = await collection.find({ $or: periods.map(inPeriod) }, { ...tx, batchSize: 10_000 }).toArray();
      const counters = found.map(({ workspaceId, periodStart, keyId, used, days }) => ({
        period: allowanceKey(workspaceId, periodStart.getTime()),
        workspaceId,
        keyId,
        used: unitsOf(used),
        days: daysOf(days),
      }));
      return Map.groupBy(counters, ({ period }) => period);
    },

    /**
     * Resolves to workspaces and periods whose usage changed since an instant, in the order of their allowance ids,
     * after the given id ('' for the first page).
     */
    async changedSince(want: { sinceMs: number; after: string; limit: number }, maxTimeMS: number) {
      const found = await collection
        .find(
          { _id: { $gt: want.after && `${want.after}/` }, keyId: '', touchedAt: { $gte: new Date(want.sinceMs) } },
          // Without the hint, MongoDB may choose the index of ids and read all counters of past periods and of keys.
          { maxTimeMS, hint: touchedIndex, projection: { workspaceId: 1, periodStart: 1 } },
        )
        .sort({ _id: 1 })
        .limit(want.limit)
        .toArray();
      return found.map(({ workspaceId, periodStart }) => {
        const periodStartMs = periodStart.getTime();
        return { id: allowanceKey(workspaceId, periodStartMs), workspaceId, periodStartMs };
      });
    },
  };
}

/** The condition for a counter that has reached the threshold, if the threshold was not announced. */
const isReached = ({ unit, percent, reachedAt }: Threshold) => ({
  [`used.${unit}`]: { $gte: reachedAt },
  [`announced.${unit}`]: { $not: { $gte: percent } },
});
