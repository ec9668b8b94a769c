import type { Tx } from '@shopscope/mongo';
import type { Collection, Db, Filter } from 'mongodb';
import { type AllowanceState, allowanceKey, type CounterDelta } from '../../domain/fold.ts';
import { isZero, noUnits, type Units, unitKeys, unitsOf } from '../../domain/units.ts';
import { increments } from './increments.ts';

/**
 * What a workspace has taken of its period's allowance: used and reserved together. Counting moves units from one to the
 * other and leaves this alone; so the one document that every Reserve of a workspace changes is not changed by events.
 */
interface AllowanceDocument {
  _id: string;
  workspaceId: string;
  periodStart: Date;
  taken: Partial<Units>;
  /** As the latest Reserve had it, from the workspace's plan. */
  included: Units;
  touchedAt: Date;
}

const touchedIndex = { touchedAt: 1 } as const;
export const allowanceIndexes = [{ key: touchedIndex, options: {} }] as const;

export type AllowanceStore = ReturnType<typeof createAllowanceStore>;

export function createAllowanceStore(db: Db) {
  const collection: Collection<AllowanceDocument> = db.collection('allowances');

  return {
    /**
     * Takes `delta` when all of `asked` fits beside what is taken, decided by the database in one update. The allowance
     * as it is then, or undefined when it does not fit or does not exist yet.
     */
    async takeIfFits(
      period: { workspaceId: string; periodStartMs: number },
      want: { delta: Units; asked: Units; included: Units },
      nowMs: number,
      tx: Tx,
    ): Promise<Units | undefined> {
      const filter: Filter<AllowanceDocument> = { _id: allowanceKey(period.workspaceId, period.periodStartMs) };
      for (const unit of unitKeys) {
        if (want.asked[unit] === 0) continue;
        // An absent member counts as zero.
        const bound = want.included[unit] - want.delta[unit];
        const fits = { [`taken.${unit}`]: { $lte: bound } };
        const absent = { [`taken.${unit}`]: { $exists: false } };
        filter.$and = [...(filter.$and ?? []), bound >= 0 ? { $or: [fits, absent] } : fits];
      }
      const after = await collection.findOneAndUpdate(
        filter,
        {
          ...(isZero(want.delta) ? {} : { $inc: increments('taken', want.delta) }),
          $set: { included: want.included, touchedAt: new Date(nowMs) },
        },
        { ...tx, returnDocument: 'after' },
      );
      return after ? unitsOf(after.taken) : undefined;
    },

    async find(workspaceId: string, periodStartMs: number, tx: Tx): Promise<AllowanceState | undefined> {
      const found = await collection.findOne({ _id: allowanceKey(workspaceId, periodStartMs) }, tx);
      return found ? toState(found) : undefined;
    },

    /** States by {@link allowanceKey}. */
    async findMany(keys: readonly string[], tx: Tx): Promise<Map<string, AllowanceState>> {
      if (keys.length === 0) return new Map();
      const found = await collection.find({ _id: { $in: [...keys] } }, tx).toArray();
      return new Map(found.map((document) => [document._id, toState(document)]));
    },

    /** First use of a period. */
    async insert(
      period: { workspaceId: string; periodStartMs: number },
      state: AllowanceState,
      nowMs: number,
      tx: Tx,
    ): Promise<void> {
      await collection.insertOne(
        {
          _id: allowanceKey(period.workspaceId, period.periodStartMs),
          workspaceId: period.workspaceId,
          periodStart: new Date(period.periodStartMs),
          ...state,
          touchedAt: new Date(nowMs),
        },
        tx,
      );
    },

    /** Takes or gives back without a condition: reservations that ended, usage that had none. */
    async add(deltas: readonly Omit<CounterDelta, 'keyId'>[], nowMs: number, tx: Tx): Promise<void> {
      const changes = deltas.filter(({ units }) => !isZero(units));
      if (changes.length === 0) return;
      await collection.bulkWrite(
        changes.map(({ workspaceId, periodStartMs, units }) => ({
          updateOne: {
            filter: { _id: allowanceKey(workspaceId, periodStartMs) },
            update: {
              $inc: increments('taken', units),
              $set: { touchedAt: new Date(nowMs) },
              $setOnInsert: { workspaceId, periodStart: new Date(periodStartMs), included: noUnits },
            },
            upsert: true,
          },
        })),
        tx,
      );
    },

    /** Sets what is taken to what ledger and reservations say; for repairs. */
    async put(workspaceId: string, periodStartMs: number, taken: Units, nowMs: number, tx: Tx): Promise<void> {
      await collection.updateOne(
        { _id: allowanceKey(workspaceId, periodStartMs) },
        {
          $set: { taken, touchedAt: new Date(nowMs) },
          $setOnInsert: { workspaceId, periodStart: new Date(periodStartMs), included: noUnits },
        },
        { ...tx, upsert: true },
      );
    },

    /** What workspaces have taken in a period; those without any are absent. */
    async takenBy(
      workspaceIds: readonly string[],
      periodStartMs: number,
      maxTimeMS: number,
    ): Promise<Map<string, Units>> {
      const ids = workspaceIds.map((workspaceId) => allowanceKey(workspaceId, periodStartMs));
      const found = await collection.find({ _id: { $in: ids } }, { maxTimeMS }).toArray();
      return new Map(found.map(({ workspaceId, taken }) => [workspaceId, unitsOf(taken)]));
    },

    /** Workspaces and periods in the order of their ids, after the given one ('' for the first). */
    async after(id: string, limit: number, maxTimeMS: number) {
      const found = await collection
        .find({ _id: { $gt: id } }, { maxTimeMS, projection: { workspaceId: 1, periodStart: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toListed);
    },

    /** Those of them that took or gave back since. */
    async touchedSince(want: { sinceMs: number; after: string; limit: number }, maxTimeMS: number) {
      const found = await collection
        .find(
          { _id: { $gt: want.after }, touchedAt: { $gte: new Date(want.sinceMs) } },
          // By ids alone it would read whatever was quiet for years.
          { maxTimeMS, hint: touchedIndex, projection: { workspaceId: 1, periodStart: 1 } },
        )
        .sort({ _id: 1 })
        .limit(want.limit)
        .toArray();
      return found.map(toListed);
    },
  };
}

function toState(document: AllowanceDocument): AllowanceState {
  return { taken: unitsOf(document.taken), included: unitsOf(document.included) };
}

function toListed({ _id, workspaceId, periodStart }: Pick<AllowanceDocument, '_id' | 'workspaceId' | 'periodStart'>) {
  return { id: _id, workspaceId, periodStartMs: periodStart.getTime() };
}
