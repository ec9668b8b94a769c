import type { Offsets } from '@shopscope/kafka';
import type { IndexDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Lease, Scan } from '../../domain/scan.ts';
import { fromMark, type OffsetMark, toMark } from './offset-mark.ts';

interface ScanDocument extends Omit<Scan, 'id'> {
  _id: string;
  /** True while queued, leased or observed. */
  live: boolean;
  /** Number of joins. The write makes a join conflict with a concurrent end of the scan. */
  joins: number;
  /** End of observations.v1, read after the merge became overdue. Absent in scans of earlier versions. */
  observationMark?: OffsetMark | null;
  /** When this service saw that profiles has read the observation. */
  observationReadAt?: Date | null;
  /** End of profile-updates.v1, read after the update became overdue. */
  mergeMark: OffsetMark | null;
  forgetAt: Date | null;
}

export const scanIndexes: IndexDefinition[] = [
  // Guarantees one live scan per domain.
  { key: { domain: 1 }, options: { unique: true, partialFilterExpression: { live: true } } },
  { key: { state: 1, dueAt: 1 } },
  { key: { state: 1, 'lease.expiresAt': 1 } },
  { key: { state: 1, observedAt: 1 } },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
];

export interface OverdueMerge {
  scan: Scan;
  observationMark: Offsets | null;
  observationReadAt: Date | null;
  mergeMark: Offsets | null;
}

const noMarks = { observationMark: null, observationReadAt: null, mergeMark: null };

export type ScanStore = ReturnType<typeof createScanStore>;

export function createScanStore(db: Db, options: { retentionMs: number }) {
  const collection: Collection<ScanDocument> = db.collection('scans');

  return {
    async insert({ id, ...rest }: Scan, tx: Tx): Promise<void> {
      const document = { _id: id, ...rest, live: true, joins: 0, ...noMarks, forgetAt: null };
      await collection.insertOne(document, tx);
    },

    find(id: string, tx?: Tx): Promise<Scan | null> {
      return collection.findOne({ _id: id }, { ...tx }).then((found) => found && toScan(found));
    },

    /** Those of the ids that are scans. */
    async existing(ids: readonly string[]): Promise<Set<string>> {
      const found = collection.find({ _id: { $in: ids as string[] } }, { projection: { _id: 1 } });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },

    /** The live scan of the domain, locked against a concurrent end until the transaction ends; null when there is none. */
    async join(domain: string, tx: Tx): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        { domain, live: true },
        { $inc: { joins: 1 } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /** Ids of due scans, the longest due first. */
    async listDue(at: Date, limit: number): Promise<string[]> {
      const found = await collection
        .find({ state: 'queued', dueAt: { $lte: at } }, { projection: { _id: 1 } })
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    /** queued → leased; null when another scanner has leased it. */
    async lease(id: string, lease: Lease, at: Date, tx: Tx): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        { _id: id, state: 'queued', dueAt: { $lte: at } },
        { $set: { state: 'leased', lease }, $inc: { attempts: 1 } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    async setSequence(id: string, sequence: number, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: id }, { $set: { sequence } }, tx);
    },

    /** Extends the lease; false when the token is not the token of the scan's current lease. */
    async renew(id: string, token: string, expiresAt: Date, maxTimeMS: number): Promise<boolean> {
      const renewed = await collection.updateOne(
        { _id: id, state: 'leased', 'lease.token': token },
        { $set: { 'lease.expiresAt': expiresAt } },
        { maxTimeMS },
      );
      return renewed.matchedCount === 1;
    },

    /** leased → observed, with the token of the lease. The token is kept, so that a repeated call is recognised. */
    async observe(id: string, token: string, at: Date, tx: Tx): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        { _id: id, state: 'leased', 'lease.token': token },
        { $set: { state: 'observed', observedAt: at, ...noMarks } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /**
     * Returns the scan to queued if it is unchanged since `seen` (state, lease, expiry), so that a concurrent renewal or
     * another instance wins. Null when it has changed.
     */
    async requeue(seen: Scan, dueAt: Date, tx: Tx, options: { attemptUndone?: boolean } = {}): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        unchangedSince(seen),
        {
          $set: { state: 'queued', dueAt, lease: null, observedAt: null, ...noMarks },
          ...(options.attemptUndone ? { $inc: { attempts: -1 } } : {}),
        },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /**
     * Ends the scan. The lease is kept unless it was lost, so that a later finish of its scanner is recognised. False when
     * the scan has changed since `seen`.
     */
    async end(
      seen: Scan,
      end: { state: 'succeeded' | 'failed'; leaseLost: boolean },
      at: Date,
      tx: Tx,
    ): Promise<boolean> {
      const forgetAt = new Date(at.getTime() + options.retentionMs);
      const ended = await collection.updateOne(
        unchangedSince(seen),
        { $set: { state: end.state, live: false, forgetAt, ...(end.leaseLost ? { lease: null } : {}) } },
        tx,
      );
      return ended.modifiedCount === 1;
    },

    async listExpiredLeases(at: Date, limit: number): Promise<Scan[]> {
      const query = { state: 'leased', 'lease.expiresAt': { $lte: at } } as const;
      return (await collection.find(query).sort({ 'lease.expiresAt': 1 }).limit(limit).toArray()).map(toScan);
    },

    async listOverdueMerges(before: Date, limit: number): Promise<OverdueMerge[]> {
      const query = { state: 'observed', observedAt: { $lte: before } } as const;
      const found = await collection.find(query).sort({ observedAt: 1 }).limit(limit).toArray();
      return found.map((scan) => ({
        scan: toScan(scan),
        observationMark: scan.observationMark ? fromMark(scan.observationMark) : null,
        observationReadAt: scan.observationReadAt ?? null,
        mergeMark: scan.mergeMark && fromMark(scan.mergeMark),
      }));
    },

    async markObservations(ids: readonly string[], before: Date, mark: Offsets): Promise<void> {
      await collection.updateMany(
        { _id: { $in: [...ids] }, state: 'observed', observedAt: { $lte: before }, observationMark: null },
        { $set: { observationMark: toMark(mark) } },
      );
    },

    /** An earlier mark of profile-updates.v1 is removed: an update published since then may lie behind it. */
    async markObservationsRead(ids: readonly string[], before: Date, at: Date): Promise<void> {
      await collection.updateMany(
        { _id: { $in: [...ids] }, state: 'observed', observedAt: { $lte: before }, observationReadAt: null },
        { $set: { observationReadAt: at, mergeMark: null } },
      );
    },

    async markOverdueUpdates(ids: readonly string[], readBefore: Date, mark: Offsets): Promise<void> {
      await collection.updateMany(
        { _id: { $in: [...ids] }, state: 'observed', observationReadAt: { $lte: readBefore }, mergeMark: null },
        { $set: { mergeMark: toMark(mark) } },
      );
    },

    /** The instant at which the oldest due scan became due; null when no scan is due. */
    async oldestDueAt(at: Date): Promise<Date | null> {
      const [oldest] = await collection
        .find({ state: 'queued', dueAt: { $lte: at } }, { projection: { dueAt: 1 } })
        .sort({ dueAt: 1 })
        .limit(1)
        .toArray();
      return oldest?.dueAt ?? null;
    },
  };
}

const unchangedSince = ({ id, state, lease, sequence }: Scan) => ({
  _id: id,
  state,
  sequence,
  ...(lease ? { 'lease.token': lease.token, 'lease.expiresAt': lease.expiresAt } : {}),
});

function toScan(document: ScanDocument): Scan {
  const {
    _id,
    live: _,
    joins: __,
    observationMark: ___,
    observationReadAt: ____,
    mergeMark: _____,
    ...rest
  } = document;
  const { forgetAt: ______, ...scan } = rest;
  return { id: _id, ...scan };
}
