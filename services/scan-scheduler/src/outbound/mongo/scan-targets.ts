import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { addFailure, type PageFailures, restMs, restsUntil } from '../../domain/page-failures.ts';

/** A domain as a target of scans. It is never deleted, because the sequence must never decrease. */
interface TargetDocument {
  _id: string;
  /** The sequence of the domain's latest lease. */
  sequence: number;
  /** Like `notBefore`, it is absent if `raise` created the document. */
  lastVisitAt?: Date;
  /** The earliest next visit. */
  notBefore?: Date;
  /** The addresses to which the latest visit of the domain could connect. */
  addresses?: string[];
  /**
   * The time from which the age of the profile counts: the latest visit or imported observation, or a later time after failed scans. It is
   * absent until a refresh finds that the domain was never visited.
   */
  freshSince?: Date;
  /** The number of scans that failed since the last success. It is counted only while refreshes are enabled. */
  failures?: number;
  /** Absent if the latest scan saw the store. */
  pageFailures?: PageFailures;
}

export const targetCollection = {
  // The index for the search for stale profiles.
  indexes: [{ key: { freshSince: 1 } }],
  // The ids are domains. With the same zones, a target is on the shard of the scans of its domain.
  shardKey: { _id: 1 },
  idBegins: 'domain',
  scatters: { 'find freshSince': 'the tick looks for stale profiles' },
} as const satisfies CollectionDefinition;

/** Stands for the visit of a domain that was never visited. */
const never = new Date(0);

/** tools/backup writes one document per restore. */
interface FloorDocument {
  /** Every later sequence is higher than this. */
  _id: number;
}

export function createTargetStore(db: Db) {
  const collection: Collection<TargetDocument> = db.collection('scan_targets');
  const floors: Collection<FloorDocument> = db.collection('sequence_floors');

  return {
    /** Returns the earliest next visits of the domains. A domain that was never visited is absent. */
    async notBefore(domains: readonly string[], tx: Tx): Promise<Map<string, Date>> {
      if (domains.length === 0) return new Map();
      const found = collection.find({ _id: { $in: [...domains] } }, { ...tx, projection: { notBefore: 1 } });
      return new Map((await found.toArray()).flatMap(({ _id, notBefore }) => (notBefore ? [[_id, notBefore]] : [])));
    },

    /**
     * Starts a visit. Returns its sequence, which is above all earlier ones and above the floor of the last restore. The floor is read
     * outside of the transaction, because the shard of the floors would take part in that. A restore writes it before the services start.
     */
    async beginVisit(domain: string, at: Date, notBefore: Date, tx: Tx): Promise<number> {
      const floor = (await floors.findOne({}, { maxTimeMS: tx.maxTimeMS, sort: { _id: -1 } }))?._id ?? 0;
      const sequence = { $add: [{ $max: ['$sequence', floor] }, 1] };
      const target = await collection.findOneAndUpdate(
        { _id: domain },
        [{ $set: { sequence, lastVisitAt: at, freshSince: at, notBefore: { $max: ['$notBefore', notBefore] } } }],
        { upsert: true, returnDocument: 'after', ...tx },
      );
      if (!target) throw new Error('an upsert returned nothing');
      return target.sequence;
    },

    /** Raises the sequence, so that later visits get a higher one. */
    async raise(domain: string, sequence: number, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: domain }, { $max: { sequence } }, { upsert: true, ...tx });
    },

    /**
     * Does the same as {@link raise} for many domains, with one command and outside a transaction, because the order has no effect.
     * `observedAt` is the time of an observation that the profile shows.
     */
    async raiseAll(
      visits: readonly { domain: string; sequence: number; observedAt?: Date | undefined }[],
    ): Promise<void> {
      if (visits.length === 0) return;
      await collection.bulkWrite(
        visits.map(({ domain, sequence, observedAt }) => {
          const highest = { sequence, ...(observedAt && { freshSince: observedAt }) };
          return { updateOne: { filter: { _id: domain }, update: { $max: highest }, upsert: true } };
        }),
        { ordered: false },
      );
    },

    /** Returns the addresses of the domains at their latest visits. */
    async addresses(domains: readonly string[]): Promise<Map<string, string[]>> {
      const found = collection.find({ _id: { $in: [...domains] } }, { projection: { addresses: 1 } });
      return new Map((await found.toArray()).flatMap(({ _id, addresses }) => (addresses ? [[_id, addresses]] : [])));
    },

    async setAddresses(domain: string, addresses: readonly string[], maxTimeMS: number): Promise<void> {
      await collection.updateOne({ _id: domain }, { $set: { addresses: [...addresses] } }, { maxTimeMS });
    },

    /** Returns the domains that were visited at `since` or later. */
    async visitedSince(domains: readonly string[], since: Date, tx: Tx): Promise<Set<string>> {
      const query = { _id: { $in: [...domains] }, lastVisitAt: { $gte: since } };
      const found = await collection.find(query, { ...tx, projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** Sets `freshSince` of targets that were never visited, at most `limit` per call. */
    async dateUndated(limit: number): Promise<void> {
      const query = { freshSince: { $exists: false } };
      const undated = await collection
        .find(query, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      if (undated.length === 0) return;
      const ids = undated.map(({ _id }) => _id);
      await collection.updateMany({ ...query, _id: { $in: ids } }, { $set: { freshSince: never } });
    },

    /** Returns the targets whose profiles are stale, the oldest first. */
    async listStale(before: Date, limit: number): Promise<{ domain: string; freshSince: Date }[]> {
      const found = await collection
        .find({ freshSince: { $lte: before } }, { projection: { freshSince: 1 } })
        .sort({ freshSince: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, freshSince = never }) => ({ domain: _id, freshSince }));
    },

    /** Returns the domains that are still stale. From then on their age counts from `at`. */
    async takeStale(domains: readonly string[], before: Date, at: Date, tx: Tx): Promise<Set<string>> {
      const query = { _id: { $in: [...domains] }, freshSince: { $lte: before } };
      const stale = (await collection.find(query, { ...tx, projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
      if (stale.length > 0) await collection.updateMany({ _id: { $in: stale } }, { $set: { freshSince: at } }, tx);
      return new Set(stale);
    },

    /** Counts a failed scan. The age then counts from `at` plus the pause after this number of failures. */
    async countFailure(domain: string, at: Date, pauseMsOf: (failures: number) => number, tx: Tx): Promise<void> {
      const target = await collection.findOneAndUpdate(
        { _id: domain },
        { $inc: { failures: 1 } },
        { ...tx, returnDocument: 'after', projection: { failures: 1 } },
      );
      const freshSince = new Date(at.getTime() + pauseMsOf(target?.failures ?? 1));
      await collection.updateOne({ _id: domain }, { $set: { freshSince } }, tx);
    },

    async clearFailures(domain: string, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: domain, failures: { $gt: 0 } }, { $unset: { failures: '' } }, tx);
    },

    /** Counts an answer that is not the page of the store. Returns the series that it ends or begins. */
    async countPageFailure(domain: string, code: string, at: Date, tx: Tx): Promise<PageFailures> {
      const known = await collection.findOne({ _id: domain }, { ...tx, projection: { pageFailures: 1 } });
      const pageFailures = addFailure(known?.pageFailures, code, at);
      await collection.updateOne({ _id: domain }, { $set: { pageFailures } }, { upsert: true, ...tx });
      return pageFailures;
    },

    async clearPageFailures(domain: string, tx: Tx): Promise<void> {
      await collection.updateOne(
        { _id: domain, pageFailures: { $exists: true } },
        { $unset: { pageFailures: '' } },
        tx,
      );
    },

    async pageFailures(domain: string, maxTimeMS: number): Promise<PageFailures | undefined> {
      const found = await collection.findOne({ _id: domain }, { projection: { pageFailures: 1 }, maxTimeMS });
      return found?.pageFailures;
    },

    /** Returns the domains that rest at `at`. */
    async resting(domains: readonly string[], at: Date, tx: Tx): Promise<Set<string>> {
      if (domains.length === 0) return new Set();
      const query = { _id: { $in: [...domains] }, 'pageFailures.lastAt': { $gt: new Date(at.getTime() - restMs) } };
      const found = await collection.find(query, { ...tx, projection: { pageFailures: 1 } }).toArray();
      const rests = (row: PageFailures | undefined) => row !== undefined && Number(restsUntil(row) ?? 0) > at.getTime();
      return new Set(found.filter(({ pageFailures }) => rests(pageFailures)).map(({ _id }) => _id));
    },

    /** Makes the age of the profile begin at `freshSince` or later. */
    async refreshNotBefore(domain: string, freshSince: Date, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: domain }, { $max: { freshSince } }, tx);
    },

    async endVisit(domain: string, notBefore: Date, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: domain }, { $max: { notBefore } }, tx);
    },
  };
}
