import type { Db, Filter } from 'mongodb';
import { priorities } from '../../domain/fair-order.ts';
import type { ScanKey } from '../../domain/scan.ts';
import { hints, keyOf, keysIn, type ScanDocument, scansOf } from './scan-document.ts';
import type { VisitTurns } from './scan-queue.ts';

/** `scan_parked` shows at most this number. */
const maxCounted = 10_000;

/** The scans that wait for a turn of a pacing target: ready → parked → waiting. */
export function createParkedScanStore(db: Db) {
  const collection = scansOf(db);

  const firstTarget = async (parkedFor: string | { $gt: string }): Promise<string | null> => {
    const options = {
      projection: { _id: 0, parkedFor: 1 },
      hint: hints.parkedTurns,
      sort: { state: 1, parkedFor: 1 },
    } as const;
    return (await collection.findOne({ state: 'parked', parkedFor }, options))?.parkedFor ?? null;
  };

  return {
    /** Parks ready scans. Each then waits for a turn of its target. */
    async park(scans: readonly (ScanKey & { target: string } & VisitTurns)[]): Promise<void> {
      if (scans.length === 0) return;
      const operations = scans.map(({ target, turns, expiredTurns, ...scan }) => ({
        updateOne: {
          filter: { ...keyOf(scan), state: 'ready' as const },
          update: {
            $set: {
              state: 'parked' as const,
              parkedFor: target,
              turns: [...turns],
              ...(expiredTurns.length > 0 && { expiredTurns: [...expiredTurns] }),
            },
          },
        },
      }));
      await collection.bulkWrite(operations, { ordered: false });
    },

    /** Returns the targets for which scans are parked. It reads one index key per target. */
    async targetsAmong(targets: readonly string[]): Promise<Set<string>> {
      const parked = await Promise.all(targets.map((target) => firstTarget(target)));
      return new Set(parked.filter((target) => target !== null));
    },

    /**
     * Returns the targets behind `after` for which scans are parked, in the order of their keys. It reads one index key per target, each
     * with a separate search, because a search for distinct values would read all parked scans.
     */
    async targets(after: string, limit: number): Promise<string[]> {
      const targets: string[] = [];
      while (targets.length < limit) {
        const next = await firstTarget({ $gt: targets.at(-1) ?? after });
        if (next === null) break;
        targets.push(next);
      }
      return targets;
    },

    /**
     * Whether a requested scan of the queue is parked for the target. Background scans do not count. The search runs outside of the
     * caller's transaction, because every shard would take part in that.
     */
    async has(target: string, queue: string, maxTimeMS: number): Promise<boolean> {
      const query = { state: 'parked' as const, parkedFor: target, priority: priorities.requested, queue };
      return (await collection.findOne(query, { maxTimeMS, projection: { _id: 1 }, hint: hints.parkedTurns })) !== null;
    },

    /** Counts the parked scans, up to {@link maxCounted}. */
    count: () => collection.countDocuments({ state: 'parked' }, { hint: hints.parkedTurns, limit: maxCounted }),

    /** Returns the earliest time at which a parked scan became due or was put off. Null if no scan is parked. */
    async oldestDueAt(): Promise<Date | null> {
      const options = { projection: { dueAt: 1 }, hint: hints.due, sort: { dueAt: 1 } } as const;
      return (await collection.findOne({ state: 'parked', live: true }, options))?.dueAt ?? null;
    },

    /**
     * Returns the next parked scan of the target. It is a scan of the queue that follows `lastQueue`, so that each queue gets one turn per
     * round. Scans of a lower priority value come first.
     */
    async next(target: string, lastQueue: string): Promise<(ScanKey & { queue: string }) | null> {
      const sort = { priority: 1, queue: 1, start: 1 } as const;
      const options = { projection: { domain: 1, priority: 1, queue: 1 }, hint: hints.parkedTurns, sort };
      const first = (query: Filter<ScanDocument>) =>
        collection.findOne({ state: 'parked', parkedFor: target, ...query }, options);
      const lowest = await first({});
      if (!lowest) return null;
      const { priority = 0 } = lowest;
      const next = (await first({ priority, queue: { $gt: lastQueue } })) ?? lowest;
      return { id: next._id, domain: next.domain, queue: next.queue ?? '' };
    },

    /** Gives a parked scan its turn and returns it to the waiting scans. Returns false if it is no longer parked. */
    async unpark(scan: ScanKey, target: string, unparkedAt: Date): Promise<boolean> {
      const unparked = await collection.updateOne(
        { ...keyOf(scan), state: 'parked', parkedFor: target },
        { $set: { state: 'waiting', unparkedAt }, $unset: { parkedFor: '' }, $addToSet: { turns: target } },
      );
      return unparked.modifiedCount === 1;
    },

    /** Returns the scans that got their turn after `after` and wait for their lease. */
    async unleased(scans: readonly ScanKey[], after: Date): Promise<Set<string>> {
      if (scans.length === 0) return new Set();
      const state = { $in: ['waiting' as const, 'ready' as const] };
      const query = { ...keysIn(scans), state, unparkedAt: { $gt: after } };
      return new Set((await collection.find(query, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
    },
  };
}
