import { type Environment, nameIn } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import { noUnits, type Units, unitKeys, unitsOf } from '@shopscope/proto';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db } from 'mongodb';
import type { Attempt, EntryKind } from '../../domain/attempt.ts';
import { allowanceKey } from '../../domain/fold.ts';
import { addUsage, type KeyUsage, noUsage } from '../../domain/key-usage.ts';
import { attemptKey, type LedgerEntry } from '../../domain/ledger-entry.ts';
import type { PeriodOf } from '../../domain/period.ts';
import { type Refund, refundedUnits } from '../../domain/refund.ts';
import { negate, nonZero, subtract } from '../../domain/units.ts';
import { idIndex } from './members.ts';

/**
 * The usage ledger: append-only and never deleted. The unique id of an entry consists of charge, attempt and number. The second of two
 * concurrent decisions about an attempt therefore gets a duplicate-key error, for any order of events, RPCs and sweeps, in any instance.
 */
interface LedgerDocument {
  _id: string;
  /** `refund`: a unit of a counted attempt was refunded. The id of such an entry contains the id of the job instead of a number. */
  kind: EntryKind | 'refund';
  /** The members that are not zero. */
  units: Partial<Units>;
  workspaceId: string;
  keyId: string;
  periodStart: Date;
  /** First instant of the UTC day of the units. It is absent in entries without units. */
  day?: Date;
  operation: string;
  occurredAt: Date;
  recordedAt: Date;
}

/** All entries of a workspace are on one shard, so their ids are unique there. Only `ownersOf` does not filter by the workspace. */
export const ledgerShardKey = { workspaceId: 1 } as const;

export const ledgerIndexes = [{ key: { workspaceId: 1, periodStart: 1, recordedAt: 1 }, options: {} }] as const;

export type RecordedEntry = Pick<
  LedgerEntry,
  'kind' | 'units' | 'workspaceId' | 'keyId' | 'periodStartMs' | 'dayStartMs'
>;

/** The entries of a period that were recorded after `afterMs` and until `untilMs`. */
export interface LedgerSpan extends PeriodOf {
  afterMs: number;
  untilMs: number;
}

/** An attempt has at most this many entries: return, charge, reversal. */
const maxEntries = 3;

export type LedgerStore = ReturnType<typeof createLedgerStore>;

export function createLedgerStore(db: Db, environment: Environment) {
  const collection: Collection<LedgerDocument> = db.collection(nameIn(environment, 'ledger', '_'));

  const findByIds = async (ids: string[], workspaceIds: readonly string[], tx: Tx | { maxTimeMS: number }) => {
    const filter = { _id: { $in: ids }, workspaceId: { $in: [...workspaceIds] } };
    const found = await collection.find(filter, { ...tx, hint: idIndex, batchSize: 5_000 }).toArray();
    return new Map(found.map((document) => [document._id, toRecorded(document)]));
  };

  return {
    deleteSome: (workspaceId: string, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, { workspaceId, environment }, limit, maxTimeMS),

    async insert(entries: readonly LedgerEntry[], tx: Tx): Promise<void> {
      if (entries.length === 0) return;
      await collection.insertMany(
        entries.map((entry) => toDocument(entry, entry.sequence)),
        { ...tx, ordered: true },
      );
    },

    /** Inserts the refund of the unit of a job, in the period and on the day of its attempt. */
    async insertRefund(attempt: Attempt, refund: Refund, recordedAtMs: number, tx: Tx): Promise<void> {
      const entry = {
        ...attempt,
        kind: 'refund' as const,
        attempt: attempt.number,
        units: negate(refundedUnits(refund)),
        operation: 'cancelJob',
        occurredAtMs: refund.canceledAtMs,
        recordedAtMs,
      };
      await collection.insertOne(toDocument(entry, refund.jobId), tx);
    },

    /**
     * Resolves to the entries of attempts, oldest first, by {@link attemptKey}. Refunds are not included, and an attempt without
     * entries, or of a workspace that is not in `workspaceIds`, is absent. Most attempts of a call have no entry, so the first query
     * reads only the first entries.
     */
    async entriesOf(
      keys: readonly string[],
      workspaceIds: readonly string[],
      tx: Tx | { maxTimeMS: number },
    ): Promise<Map<string, RecordedEntry[]>> {
      if (keys.length === 0) return new Map();
      const firsts = await findByIds(
        keys.map((key) => `${key}/1`),
        workspaceIds,
        tx,
      );
      const begun = keys.filter((key) => firsts.has(`${key}/1`));
      if (begun.length === 0) return new Map();
      const later = await findByIds(
        begun.flatMap((key) => Array.from({ length: maxEntries - 1 }, (_, n) => `${key}/${n + 2}`)),
        workspaceIds,
        tx,
      );
      return new Map(
        begun.map((key) => [
          key,
          Array.from(
            { length: maxEntries },
            (_, n) => firsts.get(`${key}/${n + 1}`) ?? later.get(`${key}/${n + 1}`),
          ).filter((entry) => entry !== undefined),
        ]),
      );
    },

    /** Resolves to the workspaces of attempts of any workspace. Every shard executes it, so it only follows a duplicate key. */
    async ownersOf(keys: readonly string[], maxTimeMS: number): Promise<Map<string, string>> {
      const filter = { _id: { $in: keys.map((key) => `${key}/1`) } };
      const found = await collection
        .find(filter, { maxTimeMS, projection: { workspaceId: 1 }, batchSize: 5_000 })
        .toArray();
      return new Map(found.map(({ _id, workspaceId }) => [_id.slice(0, -'/1'.length), workspaceId]));
    },

    /** Resolves to the refunded units of an attempt. The record of the charge has this sum, too, while the attempt is its latest one. */
    async refundedOf({ workspaceId, chargeId, number }: Attempt, tx: Tx): Promise<Units> {
      const filter = { ...under(attemptKey(chargeId, number), workspaceId), kind: 'refund' as const };
      const refunds = await collection.find(filter, { ...tx, hint: idIndex, projection: { units: 1 } }).toArray();
      return refunds.reduce((sum, { units }) => subtract(sum, unitsOf(units)), noUnits);
    },

    /** Resolves to the highest attempt number with entries, or 0 if there is none. For charges whose record has expired. */
    async lastAttempt(chargeId: string, workspaceId: string, tx: Tx): Promise<number> {
      const found = await collection
        .find(under(chargeId, workspaceId), { ...tx, hint: idIndex, projection: { _id: 1 } })
        .toArray();
      return found.reduce((max, { _id }) => Math.max(max, Number(_id.split('/')[1])), 0);
    },

    /**
     * Resolves to the usage per key of each span, by {@link allowanceKey}. It sums the entries that were recorded after `afterMs`
     * and until `untilMs`. A period without entries is absent.
     */
    async sums(periods: readonly LedgerSpan[], tx: Tx): Promise<Map<string, Map<string, KeyUsage>>> {
      const spans = periods.map(({ workspaceId, periodStartMs, afterMs, untilMs }) => ({
        workspaceId,
        periodStart: new Date(periodStartMs),
        recordedAt: { $gt: new Date(afterMs), $lte: new Date(untilMs) },
      }));
      const sums = await collection
        .aggregate<{ _id: { workspaceId: string; periodStart: Date; keyId: string; day?: Date } } & Units>(
          [
            { $match: { $or: spans } },
            {
              $group: {
                _id: { workspaceId: '$workspaceId', periodStart: '$periodStart', keyId: '$keyId', day: '$day' },
                ...Object.fromEntries(unitKeys.map((unit) => [unit, { $sum: `$units.${unit}` }])),
              },
            },
          ],
          { ...tx, batchSize: 10_000 },
        )
        .toArray();
      const found = new Map<string, Map<string, KeyUsage>>();
      for (const { _id, ...units } of sums) {
        const period = allowanceKey(_id.workspaceId, _id.periodStart.getTime());
        const byKey = found.get(period) ?? new Map<string, KeyUsage>();
        const days = new Map(_id.day ? [[_id.day.getTime(), units]] : []);
        byKey.set(_id.keyId, addUsage(byKey.get(_id.keyId) ?? noUsage, { used: units, days }));
        found.set(period, byKey);
      }
      return found;
    },
  };
}

/** The entries with ids below `key`. */
const under = (key: string, workspaceId: string) => ({ _id: { $gt: `${key}/`, $lt: `${key}0` }, workspaceId });

/** `part` is the number of an entry, or the job id of a refund. */
function toDocument(
  entry: Omit<LedgerEntry, 'kind' | 'sequence'> & Pick<LedgerDocument, 'kind'>,
  part: number | string,
): LedgerDocument {
  return {
    _id: `${attemptKey(entry.chargeId, entry.attempt)}/${part}`,
    kind: entry.kind,
    units: nonZero(entry.units),
    workspaceId: entry.workspaceId,
    keyId: entry.keyId,
    periodStart: new Date(entry.periodStartMs),
    ...(entry.dayStartMs !== undefined && { day: new Date(entry.dayStartMs) }),
    operation: entry.operation,
    occurredAt: new Date(entry.occurredAtMs),
    recordedAt: new Date(entry.recordedAtMs),
  };
}

function toRecorded(document: LedgerDocument): RecordedEntry {
  return {
    kind: document.kind as EntryKind,
    units: unitsOf(document.units),
    workspaceId: document.workspaceId,
    keyId: document.keyId,
    periodStartMs: document.periodStart.getTime(),
    dayStartMs: document.day?.getTime(),
  };
}
