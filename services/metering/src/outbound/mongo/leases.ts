import { type Environment, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import { type LeasableUnit, leasableUnits, type Units, unitsOf } from '@shopscope/proto';
import type { Collection, Db, Document } from 'mongodb';
import { allowanceKey } from '../../domain/fold.ts';
import {
  closeAfterMs,
  keepMs,
  type Lease,
  type LeaseAsk,
  longLeaseMs,
  maxLeasesPerAllowance,
  maxLeasesPerGateway,
  maxUnspent,
  openWithinMs,
  plentyFactor,
  roomDivisor,
  shortLeaseMs,
} from '../../domain/lease.ts';
import type { PeriodOf } from '../../domain/period.ts';
import type { AllowanceDocument } from './allowances.ts';
import { touchedAt } from './members.ts';

/**
 * Leases are embedded in the document of their allowance. One update of one document therefore grants units, without a transaction.
 *
 * All conditions are inside the pipelines, and all instants are MongoDB's `$$NOW`. An update that does not apply therefore
 * leaves the document unchanged, even if the clocks of gateways and instances differ.
 *
 * `$$NOW` is the clock of one primary. The clock of the next primary may differ by {@link maxClockDifferenceMs}. Then:
 * - The first call opens a lease ({@link openWithinMs}) -> some calls open none, and Reserve pays for the charges.
 * - A call moves `endsAt` -> never to an earlier instant, so the end of an earlier call stays valid.
 * - A lease is marked as ended -> not before the requests of its gateway have ended, because {@link closeAfterMs} contains the difference.
 * - A lease is removed -> not before its first call is too old for every primary, because {@link keepMs} contains the difference.
 */
export type LeaseStore = ReturnType<typeof createLeaseStore>;

export interface LeasedAllowance {
  id: string;
  workspaceId: string;
  periodStartMs: number;
  taken: Units;
  included: Units;
  leases: Lease[];
}

export interface GrantOptions {
  gatewayId: string;
  included: Units;
  /** If false, no lease opens and no lease grows. */
  mayGrant: boolean;
  nowMs: number;
}

/** A lease whose count is closed at `settled` units. */
export interface ClosedLease {
  allowance: string;
  id: string;
  settled: number;
}

/** Only documents with leases have an entry in this index. The entry changes only with the first and the last lease. */
const leasedIndex = { workspaceId: 1, periodStart: 1 } as const;
export const leaseIndexes = [
  { key: leasedIndex, options: { partialFilterExpression: { leases: { $exists: true } } } },
] as const;

export function createLeaseStore(db: Db, environment: Environment) {
  const collection: Collection<AllowanceDocument> = db.collection(nameIn(environment, 'allowances', '_'));

  return {
    /**
     * Applies each ask to its lease. Rejects if an update fails or takes too long; the other updates may have been applied.
     * {@link findMany} returns the granted units.
     */
    async grant(asks: readonly (LeaseAsk & GrantOptions)[], maxTimeMS: number): Promise<void> {
      if (asks.length === 0) return;
      await collection.bulkWrite(
        asks.map((ask) => ({
          updateOne: {
            filter: { _id: allowanceKey(ask.workspaceId, ask.periodStartMs) },
            update: grantPipeline(ask),
            upsert: ask.call === 1 && !ask.isFinal && ask.mayGrant,
          },
        })),
        { ordered: false, maxTimeMS },
      );
    },

    /** Resolves to allowances with their leases, by {@link allowanceKey}. */
    async findMany(ids: readonly string[], options: Tx | { maxTimeMS: number }): Promise<Map<string, LeasedAllowance>> {
      if (ids.length === 0) return new Map();
      const found = await collection.find({ _id: { $in: [...ids] } }, options).toArray();
      return new Map(found.map((document) => [document._id, toLeased(document)]));
    },

    /** Resolves to allowances that have leases, in the order of workspace and period, after the given one. */
    async leased(after: PeriodOf | undefined, limit: number, maxTimeMS: number): Promise<LeasedAllowance[]> {
      const filter = after && {
        workspaceId: { $gte: after.workspaceId },
        $nor: [{ workspaceId: after.workspaceId, periodStart: { $lte: new Date(after.periodStartMs) } }],
      };
      const found = await collection
        .find({ ...filter, leases: { $exists: true } }, { maxTimeMS, hint: leasedIndex })
        .sort(leasedIndex)
        .limit(limit)
        .toArray();
      return found.map(toLeased);
    },

    /** Marks the leases that ended at least {@link closeAfterMs} ago. No call changes them any more. */
    async markEnded(ids: readonly string[], maxTimeMS: number): Promise<void> {
      if (ids.length === 0) return;
      await collection.updateMany({ _id: { $in: [...ids] }, leases: { $exists: true } }, [endPipeline], { maxTimeMS });
    },

    /**
     * Removes closing leases whose counts are closed. The units that the ledger has not settled return to the allowances. A lease stays
     * until {@link keepMs} after its opening, because its first call could open it again. Rejects if an update fails; the other
     * updates may have been applied.
     */
    async remove(leases: readonly ClosedLease[], nowMs: number, maxTimeMS: number): Promise<void> {
      if (leases.length === 0) return;
      await collection.bulkWrite(
        leases.map((lease) => ({
          updateOne: {
            filter: { _id: lease.allowance, leases: { $elemMatch: { id: lease.id, isClosing: true } } },
            update: removePipeline(lease, nowMs),
          },
        })),
        { ordered: false, maxTimeMS },
      );
    },
  };
}

const orZero = (expression: unknown) => ({ $ifNull: [expression, 0] });
const isOfUnit = (lease: string, unit: LeasableUnit) => ({ $eq: [`${lease}.unit`, unit] });
const ageOf = (instant: unknown) => ({ $subtract: ['$$NOW', instant] });

/** Members that exist only while the pipeline runs. */
const temporary = ['own', 'left', 'applies', 'opens', 'grantedNow', 'usableMs'] as const;

function grantPipeline({ gatewayId, included, mayGrant, nowMs, unit, ...ask }: LeaseAsk & GrantOptions): Document[] {
  const taken = `taken.${unit}`;
  const before = orZero('$own.granted');
  const room = mayGrant ? { $max: [0, { $floor: { $divide: ['$left', roomDivisor] } }] } : 0;
  const grown = { $min: [ask.wanted, ask.spent + maxUnspent, { $add: [before, room] }] };
  const granted = ask.isFinal
    ? { $min: [ask.spent, before] }
    : { $cond: [{ $lt: [ask.wanted, before] }, { $max: [ask.wanted, ask.spent] }, grown] };
  const mayOpen = ask.call === 1 && !ask.isFinal && mayGrant;
  const ofUnit = { $filter: { input: '$leases', cond: isOfUnit('$$this', unit) } };
  const ofGateway = { $filter: { input: ofUnit, cond: { $eq: ['$$this.gatewayId', gatewayId] } } };
  const lent = ask.wanted - ask.spent;
  // A call that only returns units may come from a gateway that does not know the newest plan.
  const plan = lent > 0 ? included : '$included';
  const hasPlenty = lent > 0 && { $gte: ['$left', plentyFactor * lent] };
  const changed = {
    $mergeObjects: [
      '$own',
      { call: ask.call, granted: '$grantedNow', spent: ask.spent },
      // The end never moves to an earlier time. If the gateway gets no answer to this call, it spends until the end from the call before.
      { usableMs: '$usableMs', endsAt: { $max: ['$own.endsAt', { $add: ['$$NOW', '$usableMs'] }] } },
      ...(ask.isFinal ? [{ isClosing: true }] : []),
    ],
  };
  const opened = {
    $mergeObjects: [
      changed,
      { id: ask.leaseId, gatewayId, unit, isClosing: false, isEnded: false },
      { openedAt: { $max: ['$$NOW', new Date(ask.sentAtMs)] } },
    ],
  };
  return [
    {
      $set: {
        workspaceId: ask.workspaceId,
        periodStart: new Date(ask.periodStartMs),
        taken: { $ifNull: ['$taken', {}] },
        included: { $ifNull: ['$included', included] },
        touchedAt: { $ifNull: ['$touchedAt', touchedAt(nowMs)] },
        leases: { $ifNull: ['$leases', []] },
      },
    },
    {
      $set: {
        own: { $first: { $filter: { input: '$leases', cond: { $eq: ['$$this.id', ask.leaseId] } } } },
        left: { $subtract: [included[unit], orZero(`$${taken}`)] },
      },
    },
    {
      $set: {
        opens: mayOpen && {
          $and: [
            { $eq: [{ $type: '$own' }, 'missing'] },
            { $lt: [{ $abs: ageOf(new Date(ask.sentAtMs)) }, openWithinMs] },
            { $lt: [{ $size: ofGateway }, maxLeasesPerGateway] },
            { $lt: [{ $size: ofUnit }, maxLeasesPerAllowance] },
            { $gte: ['$left', roomDivisor] },
          ],
        },
        applies: {
          $and: [{ $lt: [orZero('$own.call'), ask.call] }, { $eq: ['$own.isClosing', false] }, isOfUnit('$own', unit)],
        },
        usableMs: { $cond: [hasPlenty, longLeaseMs, shortLeaseMs] },
      },
    },
    { $set: { grantedNow: { $cond: [{ $or: ['$opens', '$applies'] }, granted, before] } } },
    {
      $set: {
        [taken]: { $add: [orZero(`$${taken}`), { $subtract: ['$grantedNow', before] }] },
        included: { $cond: [{ $or: ['$opens', '$applies'] }, plan, '$included'] },
        touchedAt: { $cond: [{ $or: ['$opens', '$applies'] }, touchedAt(nowMs), '$touchedAt'] },
        leases: {
          $cond: [
            '$opens',
            { $concatArrays: ['$leases', [opened]] },
            {
              $cond: [
                '$applies',
                { $map: { input: '$leases', in: { $cond: [{ $eq: ['$$this.id', ask.leaseId] }, changed, '$$this'] } } },
                leasesOrNone('$leases'),
              ],
            },
          ],
        },
      },
    },
    { $unset: [...temporary] },
  ];
}

const endPipeline = {
  $set: {
    leases: {
      $map: {
        input: '$leases',
        in: {
          $cond: [
            { $gte: [ageOf('$$this.endsAt'), closeAfterMs] },
            { $mergeObjects: ['$$this', { isClosing: true, isEnded: true }] },
            '$$this',
          ],
        },
      },
    },
  },
};

function removePipeline({ id, settled }: ClosedLease, nowMs: number): Document[] {
  const isOther = { $ne: ['$$this.id', id] };
  /** The count of a lease does not contain its billing unit, so the pipeline reads the unit from the lease. */
  const takenOf = (unit: LeasableUnit) => ({
    $cond: [
      { $and: ['$applies', isOfUnit('$own', unit)] },
      { $subtract: [orZero(`$taken.${unit}`), { $subtract: ['$own.granted', settled] }] },
      `$taken.${unit}`,
    ],
  });
  return [
    { $set: { own: { $first: { $filter: { input: '$leases', cond: { $eq: ['$$this.id', id] } } } } } },
    { $set: { applies: { $gte: [ageOf('$own.openedAt'), keepMs] } } },
    {
      $set: {
        ...Object.fromEntries(leasableUnits.map((unit) => [`taken.${unit}`, takenOf(unit)])),
        touchedAt: { $cond: ['$applies', touchedAt(nowMs), '$touchedAt'] },
        leases: { $cond: ['$applies', { $filter: { input: '$leases', cond: isOther } }, '$leases'] },
      },
    },
    { $set: { leases: leasesOrNone('$leases') } },
    { $unset: ['own', 'applies'] },
  ];
}

/** The member is absent if there is no lease, so that the index does not contain the document. */
function leasesOrNone(leases: string): Document {
  return { $cond: [{ $eq: [leases, []] }, '$$REMOVE', leases] };
}

function toLeased({ _id, workspaceId, periodStart, leases = [], ...units }: AllowanceDocument): LeasedAllowance {
  const [taken, included] = [unitsOf(units.taken), unitsOf(units.included)];
  return { id: _id, workspaceId, periodStartMs: periodStart.getTime(), taken, included, leases };
}
