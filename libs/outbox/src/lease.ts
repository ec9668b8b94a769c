import type { Clock } from '@shopscope/clock';
import { isDuplicateKey } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { leaseCollectionName } from './outbox.ts';

export interface LeaseDocument {
  _id: 'relay';
  holder: string;
  expiresAt: Date;
}

/**
 * Says which one of many relays is active. The lease is compared in wall time of its holders: clocks that differ by less
 * than half of it do no harm, and more than that costs doubled events, never lost ones.
 */
export interface Lease {
  /** Takes or keeps the lease; false while somebody else holds it. Asks the database only when half of it is over. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
}

export function createLease(db: Db, options: { holder: string; leaseMs: number; clock: Clock }): Lease {
  const { holder, leaseMs, clock } = options;
  const leases: Collection<LeaseDocument> = db.collection(leaseCollectionName);
  let renewAtMs = Number.NEGATIVE_INFINITY;

  return {
    async hold() {
      if (clock.monotonicMs() < renewAtMs) return true;
      const [wallMs, monotonicMs] = [clock.now(), clock.monotonicMs()];
      try {
        await leases.updateOne(
          { _id: 'relay', $or: [{ holder }, { expiresAt: { $lte: new Date(wallMs) } }] },
          { $set: { holder, expiresAt: new Date(wallMs + leaseMs) } },
          { upsert: true },
        );
      } catch (error) {
        // The upsert meets a lease that somebody else holds.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
      renewAtMs = monotonicMs + leaseMs / 2;
      return true;
    },
    async release() {
      renewAtMs = Number.NEGATIVE_INFINITY;
      await leases.deleteOne({ _id: 'relay', holder });
    },
  };
}
