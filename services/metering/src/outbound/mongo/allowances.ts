import { type Environment, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import { isZero, noUnits, type UnitKey, type Units, unitKeys, unitsOf } from '@shopscope/proto';
import type { Collection, Db, Filter } from 'mongodb';
import type { TakenUnits } from '../../domain/balance.ts';
import { type AllowanceDelta, type AllowanceState, allowanceKey } from '../../domain/fold.ts';
import type { Lease } from '../../domain/lease.ts';
import type { PeriodOf } from '../../domain/period.ts';
import { deleteSomeById, increments, touchedAt } from './members.ts';

/**
 * The units that a workspace has taken of its allowance in a period: used, reserved and lent, plus the adjustment. Counting an event moves
 * units from reserved to used, so the sum stays the same. Therefore events do not conflict with Reserve on this document.
 */
export interface AllowanceDocument {
  _id: string;
  workspaceId: string;
  periodStart: Date;
  taken: Partial<Units>;
  /** The units that the plan of the workspace includes, from the latest Reserve or lease. */
  included: Units;
  /** What SetTestAllowance has added to the taken units. It may be negative. Absent in the live environment. */
  adjustment?: Partial<Units>;
  touchedAt: Date;
  /** Absent if the allowance has no lease. */
  leases?: Lease[];
}

/** An id is an {@link allowanceKey}, which begins with the workspace. */
export const allowanceShardKey = { _id: 1 } as const;

const touchedIndex = { touchedAt: 1 } as const;
export const allowanceIndexes = [{ key: touchedIndex, options: {} }] as const;

export type AllowanceStore = ReturnType<typeof createAllowanceStore>;

export function createAllowanceStore(db: Db, environment: Environment) {
  const collection: Collection<AllowanceDocument> = db.collection(nameIn(environment, 'allowances', '_'));

  return {
    deleteSome: (workspaceId: string, limit: number, maxTimeMS: number) =>
      deleteSomeById(collection, workspaceId, limit, maxTimeMS),

    /** Whether the workspace has an allowance of any period. */
    async hasAny(workspaceId: string, tx: Tx): Promise<boolean> {
      const filter = { _id: { $gte: `${workspaceId}/`, $lt: `${workspaceId}0` } };
      return (await collection.findOne(filter, { ...tx, projection: { _id: 1 } })) !== null;
    },

    /**
     * Takes `delta` in one conditional update if all requested units fit. Resolves to the taken units after the
     * update, or to undefined if the units do not fit or the document does not exist yet.
     */
    async takeIfFits(
      period: { workspaceId: string; periodStartMs: number },
      sum: { delta: Units; requested: Units; included: Units },
      nowMs: number,
      tx: Tx,
    ): Promise<Units | undefined> {
      const filter: Filter<AllowanceDocument> = { _id: allowanceKey(period.workspaceId, period.periodStartMs) };
      for (const unit of unitKeys) {
        if (sum.requested[unit] === 0) continue;
        // An absent member counts as zero.
        const bound = sum.included[unit] - sum.delta[unit];
        const fits = { [`taken.${unit}`]: { $lte: bound } };
        const absent = { [`taken.${unit}`]: { $exists: false } };
        filter.$and = [...(filter.$and ?? []), bound >= 0 ? { $or: [fits, absent] } : fits];
      }
      const after = await collection.findOneAndUpdate(
        filter,
        {
          ...(isZero(sum.delta) ? {} : { $inc: increments('taken', sum.delta) }),
          $set: { included: sum.included, touchedAt: touchedAt(nowMs) },
        },
        { ...tx, returnDocument: 'after' },
      );
      return after ? unitsOf(after.taken) : undefined;
    },

    async find(workspaceId: string, periodStartMs: number, tx: Tx): Promise<AllowanceState | undefined> {
      const found = await collection.findOne({ _id: allowanceKey(workspaceId, periodStartMs) }, tx);
      return found ? toState(found) : undefined;
    },

    /** Resolves to allowances by {@link allowanceKey}. */
    async findMany(keys: readonly string[], tx: Tx): Promise<Map<string, AllowanceState>> {
      if (keys.length === 0) return new Map();
      const found = await collection.find({ _id: { $in: [...keys] } }, tx).toArray();
      return new Map(found.map((document) => [document._id, toState(document)]));
    },

    /** Creates the document at the first use of a period. */
    async insert(
      period: { workspaceId: string; periodStartMs: number },
      state: Pick<AllowanceState, 'taken' | 'included'>,
      nowMs: number,
      tx: Tx,
    ): Promise<void> {
      await collection.insertOne(
        {
          _id: allowanceKey(period.workspaceId, period.periodStartMs),
          workspaceId: period.workspaceId,
          periodStart: new Date(period.periodStartMs),
          ...state,
          touchedAt: touchedAt(nowMs),
        },
        tx,
      );
    },

    /** Changes the taken units without a condition: for reservations that ended, and for usage without a reservation. */
    async add(deltas: readonly AllowanceDelta[], nowMs: number, tx: Tx): Promise<void> {
      const changes = deltas.filter(({ units }) => !isZero(units));
      if (changes.length === 0) return;
      await collection.bulkWrite(
        changes.map(({ workspaceId, periodStartMs, units }) => ({
          updateOne: {
            filter: { _id: allowanceKey(workspaceId, periodStartMs) },
            update: {
              $inc: increments('taken', units),
              $set: { touchedAt: touchedAt(nowMs) },
              $setOnInsert: { workspaceId, periodStart: new Date(periodStartMs), included: noUnits },
            },
            upsert: true,
          },
        })),
        tx,
      );
    },

    /** Sets what is left of units by a change of the adjustment, so that neither usage nor reservations change. */
    async setLeft(
      { workspaceId, periodStartMs }: PeriodOf,
      { included, left }: { included: Units; left: ReadonlyMap<UnitKey, number> },
      nowMs: number,
      tx: Tx,
    ): Promise<void> {
      if (left.size === 0) return;
      const changes = [...left].flatMap(([unit, amount]) => {
        const taken = included[unit] - amount;
        const change = { $subtract: [taken, { $ifNull: [`$taken.${unit}`, 0] }] };
        return [
          [`taken.${unit}`, taken],
          [`adjustment.${unit}`, { $add: [{ $ifNull: [`$adjustment.${unit}`, 0] }, change] }],
        ];
      });
      const period = { workspaceId, periodStart: new Date(periodStartMs) };
      await collection.updateOne(
        { _id: allowanceKey(workspaceId, periodStartMs) },
        [{ $set: { ...period, included, touchedAt: touchedAt(nowMs), ...Object.fromEntries(changes) } }],
        { ...tx, upsert: true },
      );
    },

    /** Repairs the taken units: sets them to the sum of ledger, open reservations, leases and adjustment. */
    async put(workspaceId: string, periodStartMs: number, taken: Units, nowMs: number, tx: Tx): Promise<void> {
      await collection.updateOne(
        { _id: allowanceKey(workspaceId, periodStartMs) },
        {
          $set: { taken, touchedAt: touchedAt(nowMs) },
          $setOnInsert: { workspaceId, periodStart: new Date(periodStartMs), included: noUnits },
        },
        { ...tx, upsert: true },
      );
    },

    /** Resolves to the units that workspaces have taken in a period. A workspace without a document is absent. */
    async takenBy(
      workspaceIds: readonly string[],
      periodStartMs: number,
      maxTimeMS: number,
    ): Promise<Map<string, TakenUnits>> {
      const ids = workspaceIds.map((workspaceId) => allowanceKey(workspaceId, periodStartMs));
      const found = await collection.find({ _id: { $in: ids } }, { maxTimeMS }).toArray();
      return new Map(found.map((document) => [document.workspaceId, toState(document)]));
    },

    /** Resolves to workspaces and periods in the order of their ids, after the given id ('' for the first page). */
    async after(id: string, limit: number, maxTimeMS: number) {
      const found = await collection
        .find({ _id: { $gt: id } }, { maxTimeMS, projection: { workspaceId: 1, periodStart: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toListed);
    },

    /** Resolves to workspaces and periods whose allowance changed since an instant, in the order of their ids, after the given id. */
    async changedSince(want: { sinceMs: number; after: string; limit: number }, maxTimeMS: number) {
      const found = await collection
        .find(
          { _id: { $gt: want.after }, touchedAt: { $gte: new Date(want.sinceMs) } },
          // Without the hint, MongoDB may choose the index of ids and read all documents of past periods.
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
  const { taken, included, adjustment } = document;
  return { taken: unitsOf(taken), included: unitsOf(included), adjustment: unitsOf(adjustment) };
}

function toListed({ _id, workspaceId, periodStart }: Pick<AllowanceDocument, '_id' | 'workspaceId' | 'periodStart'>) {
  return { id: _id, workspaceId, periodStartMs: periodStart.getTime() };
}
