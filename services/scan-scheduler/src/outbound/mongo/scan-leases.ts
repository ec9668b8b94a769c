import type { Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { Lease, Scan } from '../../domain/scan.ts';
import { countOf, countsOf, noMarks, scansOf, toScan, unchangedSince } from './scan-document.ts';
import type { VisitTurns } from './scan-queue.ts';

export interface LeasePacing {
  /** The targets at which the visit has taken a turn for the request. */
  turns: readonly string[];
  slots: readonly string[];
  putOffBy: string | null;
  isLongVisit: boolean;
  /** The targets of the request, if it has to wait and is asked for again. */
  waitingAt: readonly string[] | null;
}

/** ready → leased → observed, or back into the queue. */
export function createScanLeaseStore(db: Db) {
  const collection = scansOf(db);

  return {
    /** ready → leased; null when the scan is not ready any more. */
    async lease(id: string, lease: Lease, { turns, expiredTurns }: VisitTurns, at: Date, tx: Tx): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        { _id: id, state: 'ready', dueAt: { $lte: at } },
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

    async setSequence(id: string, sequence: number, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: id }, { $set: { sequence } }, tx);
    },

    /**
     * Extends the lease; null when the token is not the token of the scan's current lease. `targets`: those of the request that is
     * asked for, which is counted. {@link setPacing} takes the count back when the request has to wait and is asked for again.
     */
    async renew(
      id: string,
      token: string,
      expiresAt: Date,
      targets: readonly string[],
      maxTimeMS: number,
    ): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        heldBy(id, token),
        { $set: { 'lease.expiresAt': expiresAt }, ...(targets.length > 0 && { $inc: countsOf(targets, 1) }) },
        { maxTimeMS, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /** Records turns of a leased scan, the slots of its next request, and why it is put off. */
    async setPacing(id: string, token: string, pacing: LeasePacing, maxTimeMS: number): Promise<void> {
      const { turns, slots, putOffBy, isLongVisit, waitingAt } = pacing;
      const fresh = Object.fromEntries(turns.map((key) => [countOf(key), waitingAt ? 0 : 1]));
      const counted = waitingAt?.filter((key) => !turns.includes(key));
      await collection.updateOne(
        heldBy(id, token),
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

    /** leased → observed, with the token of the lease. The token is kept, so that a repeated call is recognised. */
    async observe(id: string, token: string, at: Date, tx: Tx): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        heldBy(id, token),
        { $set: { state: 'observed', observedAt: at, ...noMarks } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /**
     * Returns the scan to the queue if it is unchanged since `seen` (state, lease, expiry), so that a concurrent renewal or
     * another instance wins. Null when it has changed. `undecidedAs` is the reason of an attempt that decided nothing; null
     * for an attempt that ended otherwise. `parkedFor`: the scan is parked for this target, and keeps its turns at others.
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
            ...{ ...queued, dueAt, lease: null, observedAt: null },
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

const heldBy = (id: string, token: string) => ({ _id: id, state: 'leased', 'lease.token': token }) as const;
