import type { Offsets } from '@shopscope/kafka';
import type { Db } from 'mongodb';
import type { Scan, ScanKey } from '../../domain/scan.ts';
import { keysIn, scansOf, toScan } from './scan-document.ts';
import { fromStoredOffsets, toStoredOffsets } from './stored-offsets.ts';

export interface OverdueMerge {
  scan: Scan;
  observationMark: Offsets | null;
  observationReadAt: Date | null;
  mergeMark: Offsets | null;
}

/** The observed scans whose merge is overdue, and how far profiles and this service have read since. */
export function createOverdueMergeStore(db: Db) {
  const collection = scansOf(db);
  const observed = (scans: readonly ScanKey[]) => ({ ...keysIn(scans), state: 'observed' as const });

  return {
    async list(before: Date, limit: number): Promise<OverdueMerge[]> {
      const query = { state: 'observed', observedAt: { $lte: before } } as const;
      const found = await collection.find(query).sort({ observedAt: 1 }).limit(limit).toArray();
      return found.map((document) => ({
        scan: toScan(document),
        observationMark: document.observationMark && fromStoredOffsets(document.observationMark),
        observationReadAt: document.observationReadAt,
        mergeMark: document.mergeMark && fromStoredOffsets(document.mergeMark),
      }));
    },

    async markObservations(scans: readonly ScanKey[], before: Date, mark: Offsets): Promise<void> {
      await collection.updateMany(
        { ...observed(scans), observedAt: { $lte: before }, observationMark: null },
        { $set: { observationMark: toStoredOffsets(mark) } },
      );
    },

    /** Removes an earlier mark of profile-updates.v1, because an update that was published since may be behind that mark. */
    async markObservationsRead(scans: readonly ScanKey[], before: Date, at: Date): Promise<void> {
      await collection.updateMany(
        { ...observed(scans), observedAt: { $lte: before }, observationReadAt: null },
        { $set: { observationReadAt: at, mergeMark: null } },
      );
    },

    async markUpdates(scans: readonly ScanKey[], readBefore: Date, mark: Offsets): Promise<void> {
      await collection.updateMany(
        { ...observed(scans), observationReadAt: { $lte: readBefore }, mergeMark: null },
        { $set: { mergeMark: toStoredOffsets(mark) } },
      );
    },
  };
}
