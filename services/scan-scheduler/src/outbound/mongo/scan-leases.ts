import type { Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { Lease, Scan, ScanKey } from '../../domain/scan.ts';
import { countOf, countsOf, keyOf, noMarks, scansOf, toScan, unchangedSince } from './scan-document.ts';
import type { VisitTurns } from './scan-queue.ts';

export interface LeasePacing {
  /** The targets at which the visit has taken a turn for the request. */
  turns: readonly string[];
  slots: readonly string[];
  putOffBy: string | null;
  isLongVisit: boolean;
  /** The targets of the request if it has to wait and the scanner calls again. Otherwise null. */
  waitingAt: readonly string[] | null;
}

/** The leases of scans: ready → leased → observed, or back to the queue. */
export function createScanLeaseStore(db: Db) {
  const collection = scansOf(db);

  return {
    /** Changes the scan from ready to leased. Returns null if it is no longer ready. */
    async lease(
      scan: ScanKey,
      lease: Lease,
      { turns, expiredTurns }: VisitTurns,
      at: Date,
      tx: Tx,
    ): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        { ...keyOf(scan), state: 'ready', dueAt: { $lte: at } },
        {
          $set: {
            state: 'leased',
            lease,
            turns: [...turns],
            ...(expiredTurns.length > 0 && { expiredTurns: [...expiredTurns] }),
          },
          $unset: { putOffBy: '', isLongVisit: '', slots: '', unparkedAt: '', requestCount: '', requestCounts: '' },
          $inc: { attempts: 1 },
        },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    async setSequence(scan: ScanKey, sequence: number, tx: Tx): Promise<void> {
      await collection.updateOne(keyOf(scan), { $set: { sequence } }, tx);
    },

    /**
     * Extends the lease. Returns null if the token is not that of the scan's current lease. `targets` are those of the requested admission,
     * which is counted. {@link setPacing} undoes the count if the request has to wait and the scanner calls again.
     */
    async renew(
      scan: ScanKey,
      token: string,
      expiresAt: Date,
      targets: readonly string[],
      maxTimeMS: number,
    ): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        heldBy(scan, token),
        { $set: { 'lease.expiresAt': expiresAt }, ...(targets.length > 0 && { $inc: countsOf(targets, 1) }) },
        { maxTimeMS, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /** Records the turns of a leased scan, the slots of its next request, and why the visit is put off. */
    async setPacing(scan: ScanKey, token: string, pacing: LeasePacing, maxTimeMS: number): Promise<void> {
      const { turns, slots, putOffBy, isLongVisit, waitingAt } = pacing;
      const fresh = Object.fromEntries(turns.map((key) => [countOf(key), waitingAt ? 0 : 1]));
      const counted = waitingAt?.filter((key) => !turns.includes(key));
      await collection.updateOne(
        heldBy(scan, token),
        {
          $addToSet: { turns: { $each: [...turns] } },
          $set: {
            ...fresh,
            slots: [...slots],
            ...(putOffBy !== null && { putOffBy }),
            ...(isLongVisit && { isLongVisit }),
          },
          ...(counted && { $inc: countsOf(counted, -1) }),
        },
        { maxTimeMS },
      );
    },

    /** Changes the scan from leased to observed if the token is that of the lease. The token is kept to recognise a repeated call. */
    async observe(scan: ScanKey, token: string, at: Date, tx: Tx): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        heldBy(scan, token),
        { $set: { state: 'observed', observedAt: at, ...noMarks } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /**
     * Returns the scan to the queue if it is unchanged since `seen` (state, lease, expiry). A concurrent renewal or another instance
     * therefore wins. Returns null if the scan has changed. `undecidedAs`: the reason of an attempt that decided nothing, or null after
     * another attempt. `parkedFor`: the target for which the scan is parked; the scan keeps its turns at other targets.
     */
    async requeue(
      seen: Scan,
      dueAt: Date,
      tx: Tx,
      options: { attemptUndone?: boolean; undecidedAs?: string | null; parkedFor?: string } = {},
    ): Promise<Scan | null> {
      const { attemptUndone, undecidedAs, parkedFor } = options;
      const queued =
        parkedFor === undefined ? ({ state: 'waiting' } as const) : ({ state: 'parked', parkedFor } as const);
      const found = await collection.findOneAndUpdate(
        unchangedSince(seen),
        {
          $set: {
            ...queued,
            dueAt,
            lease: null,
            observedAt: null,
            ...(undecidedAs && { interruptedBy: undecidedAs }),
            ...noMarks,
          },
          $unset: {
            putOffBy: '',
            isLongVisit: '',
            ...(parkedFor === undefined && { turns: '', expiredTurns: '' }),
            ...(undecidedAs === null && { interruptedBy: '' }),
          },
          ...(attemptUndone && { $inc: { attempts: -1, interruptions: undecidedAs === undefined ? 0 : 1 } }),
        },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    async listExpired(at: Date, limit: number): Promise<Scan[]> {
      const query = { state: 'leased', 'lease.expiresAt': { $lte: at } } as const;
      return (await collection.find(query).sort({ 'lease.expiresAt': 1 }).limit(limit).toArray()).map(toScan);
    },
  };
}

const heldBy = (scan: ScanKey, token: string) => ({ ...keyOf(scan), state: 'leased', 'lease.token': token }) as const;
