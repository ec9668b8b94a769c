import type { Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { Scan, ScanOutcome } from '../../domain/scan.ts';
import { scansOf, toDocument, toScan, unchangedSince } from './scan-document.ts';

/** The beginnings and ends of scans, and the look-up of scans by domain. */
export function createScanStore(db: Db, options: { retentionMs: number }) {
  const collection = scansOf(db);

  return {
    async insert(scans: readonly Scan[], tx: Tx): Promise<void> {
      if (scans.length > 0) await collection.insertMany(scans.map(toDocument), { ...tx });
    },

    find(id: string, tx?: Tx): Promise<Scan | null> {
      return collection.findOne({ _id: id }, { ...tx }).then((found) => found && toScan(found));
    },

    /** Returns the ids that belong to scans. */
    async existing(ids: readonly string[]): Promise<Set<string>> {
      const found = collection.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },

    /** Returns the live scans of the domains. They are locked against a concurrent end until the transaction ends. */
    async join(domains: readonly string[], tx: Tx): Promise<Map<string, Scan>> {
      const query = { domain: { $in: [...domains] }, live: true };
      await collection.updateMany(query, { $inc: { joins: 1 } }, tx);
      const found = await collection.find(query, { ...tx }).toArray();
      return new Map(found.map((document) => [document.domain, toScan(document)]));
    },

    async liveDomains(domains: readonly string[], tx?: Tx): Promise<Set<string>> {
      const query = { domain: { $in: [...domains] }, live: true };
      const found = await collection.find(query, { ...tx, projection: { domain: 1 } }).toArray();
      return new Set(found.map(({ domain }) => domain));
    },

    /**
     * Ends the scan. The lease is kept unless it was lost, so that a later finish of its scanner is recognised. Returns false if the scan
     * has changed since `seen`.
     */
    async end(seen: Scan, end: { outcome: ScanOutcome; leaseLost: boolean }, at: Date, tx: Tx): Promise<boolean> {
      const { outcome, leaseLost } = end;
      const forgetAt = new Date(at.getTime() + options.retentionMs);
      const ended = await collection.updateOne(
        unchangedSince(seen),
        {
          $set: { state: 'ended', outcome, live: false, forgetAt, ...(leaseLost && { lease: null }) },
          $unset: { parkedFor: '', turns: '', expiredTurns: '', slots: '', requestCount: '', requestCounts: '' },
        },
        tx,
      );
      return ended.modifiedCount === 1;
    },
  };
}
