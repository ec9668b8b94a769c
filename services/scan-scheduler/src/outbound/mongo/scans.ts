import type { Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { Job } from '../../domain/job.ts';
import type { Scan, ScanKey, ScanOutcome } from '../../domain/scan.ts';
import { keyOf, keysIn, scansOf, toDocument, toScan, unchangedSince } from './scan-document.ts';

/** The beginnings and ends of scans, and the look-up of scans by domain. */
export function createScanStore(db: Db, options: { retentionMs: number }) {
  const collection = scansOf(db);

  return {
    async insert(scans: readonly Scan[], tx: Tx): Promise<void> {
      if (scans.length > 0) await collection.insertMany(scans.map(toDocument), { ...tx });
    },

    find(scan: ScanKey, tx?: Tx): Promise<Scan | null> {
      return collection.findOne(keyOf(scan), { ...tx }).then((found) => found && toScan(found));
    },

    /** Returns the ids of the scans that exist. */
    async existing(scans: readonly ScanKey[]): Promise<Set<string>> {
      const found = collection.find(keysIn(scans), { projection: { _id: 1 } });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },

    /** Locks the live scan of the domain against a concurrent end until the transaction ends. Returns null if there is none. */
    async lock(domain: string, tx: Tx): Promise<Scan | null> {
      const query = { domain, live: true };
      const found = await collection.findOneAndUpdate(
        query,
        { $inc: { joins: 1 } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /** Adds workspaces to the live scans of different domains and locks them, like {@link lock}. Returns these scans by domain. */
    async join(joining: readonly Pick<Job, 'workspaceId' | 'domain'>[], tx: Tx): Promise<Map<string, Scan>> {
      const operations = joining.map(({ workspaceId, domain }) => ({
        updateOne: {
          filter: { domain, live: true },
          update: { $inc: { joins: 1 }, $addToSet: { workspaceIds: workspaceId } },
        },
      }));
      await collection.bulkWrite(operations, { ...tx, ordered: false });
      const domains = joining.map(({ domain }) => domain);
      const found = await collection.find({ domain: { $in: domains }, live: true }, { ...tx }).toArray();
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
          $set: { state: 'ended', outcome, live: false, forgetAt, workspaceIds: [], ...(leaseLost && { lease: null }) },
          $unset: { parkedFor: '', turns: '', expiredTurns: '', slots: '', requestCount: '', requestCounts: '' },
        },
        tx,
      );
      return ended.modifiedCount === 1;
    },
  };
}
