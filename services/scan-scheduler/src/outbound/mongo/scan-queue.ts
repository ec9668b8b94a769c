import type { Tx } from '@shopscope/mongo';
import type { Db, Filter } from 'mongodb';
import { leaseOrder, type Place, priorities } from '../../domain/fair-order.ts';
import { queuedStates, type ScanKey } from '../../domain/scan.ts';
import { ascending, hints, keyOf, placeOf, type ScanDocument, scansOf } from './scan-document.ts';

/** The targets at which a visit has had its turn, and those at which a turn was not used in time. */
export interface VisitTurns {
  turns: readonly string[];
  expiredTurns: readonly string[];
}

export interface ReadyScan extends ScanKey, VisitTurns {
  start: number;
  /** When the scan got its latest turn while it was parked. Null if it was not parked. */
  unparkedAt: Date | null;
}

export interface UnplacedScan extends ScanKey {
  place: Place | null;
  workspaceIds: readonly string[];
}

/** The order of queued scans: waiting → ready. */
export function createScanQueueStore(db: Db) {
  const collection = scansOf(db);

  return {
    async setPlaces(scans: readonly { scan: ScanKey; place: Place }[], tx: Tx): Promise<void> {
      if (scans.length === 0) return;
      await collection.bulkWrite(
        scans.map(({ scan, place }) => ({ updateOne: { filter: keyOf(scan), update: { $set: { ...place } } } })),
        { ...tx },
      );
    },

    async hasQueued(queue: string, maxTimeMS: number): Promise<boolean> {
      const query = { queue, state: { $in: [...queuedStates] }, live: true };
      return (await collection.findOne(query, { maxTimeMS, projection: { _id: 1 } })) !== null;
    },

    /** Returns scans that became due and wait for their place. Those that have been due the longest come first. */
    async listUnplaced(at: Date, limit: number): Promise<UnplacedScan[]> {
      const found = await collection
        .find(
          { state: 'waiting', live: true, dueAt: { $lte: at } },
          { projection: { domain: 1, workspaceIds: 1, priority: 1, queue: 1, start: 1 }, hint: hints.due },
        )
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      return found.map((document) => {
        const { _id: id, domain, workspaceIds } = document;
        return { id, domain, workspaceIds, place: placeOf(document) };
      });
    },

    /** Assigns places to waiting scans that are unchanged since `seen`. They become ready. */
    async makeReady(placed: readonly { seen: UnplacedScan; place: Place }[], at: Date, tx: Tx): Promise<void> {
      const operations = placed.map(({ seen, place }) => ({
        updateOne: {
          filter: {
            ...keyOf(seen),
            state: 'waiting' as const,
            dueAt: { $lte: at },
            start: seen.place?.start ?? { $exists: false },
          },
          update: { $set: { ...place, state: 'ready' as const } },
        },
      }));
      await collection.bulkWrite(operations, { ...tx, ordered: false });
    },

    async listReady(at: Date, limit: number): Promise<ReadyScan[]> {
      const found = await collection
        .find(
          { state: 'ready', dueAt: { $lte: at } },
          { projection: { domain: 1, start: 1, turns: 1, expiredTurns: 1, unparkedAt: 1 }, hint: hints.leaseOrder },
        )
        .sort(ascending(leaseOrder))
        .limit(limit)
        .toArray();
      return found.map(({ _id, domain, start = 0, turns = [], expiredTurns = [], unparkedAt = null }) => {
        return { id: _id, domain, start, turns, expiredTurns, unparkedAt };
      });
    },

    /**
     * Returns the time at which the oldest due scan of a kind became due. Null if none is due. Scans get their priority with their place,
     * and background scans always have one. Parked scans do not count, because scanners cannot lease them.
     */
    async oldestDueAt(kind: keyof typeof priorities, at: Date): Promise<Date | null> {
      const priority = kind === 'requested' ? { $in: [null, priorities.requested] } : priorities.background;
      const state = { $in: ['waiting', 'ready'] };
      const query = { priority, state, live: true, dueAt: { $lte: at } } as Filter<ScanDocument>;
      const options = { projection: { dueAt: 1 }, hint: hints.oldestDue, sort: { dueAt: 1 } } as const;
      return (await collection.findOne(query, options))?.dueAt ?? null;
    },
  };
}
