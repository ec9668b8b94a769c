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
 * Elects the active relay among all instances.
 *
 * - Time: each instance compares the expiry with its own wall clock. A clock difference below half of the lease has no
 *   effect. A larger one causes duplicate events, never lost events.
 */
export function createLease(db: Db, options: { holder: string; leaseMs: number; clock: Clock }) {
  const { holder, leaseMs, clock } = options;
  const leases: Collection<LeaseDocument> = db.collection(leaseCollectionName);
  let renewAtMs = Number.NEGATIVE_INFINITY;

  return {
    /** Takes or renews the lease. Returns false if another relay holds it. Calls the database only after half of the lease. */
    async hold(): Promise<boolean> {
      if (clock.monotonicMs() < renewAtMs) return true;
      const [wallMs, monotonicMs] = [clock.now(), clock.monotonicMs()];
      try {
        await leases.updateOne(
          { _id: 'relay', $or: [{ holder }, { expiresAt: { $lte: new Date(wallMs) } }] },
          { $set: { holder, expiresAt: new Date(wallMs + leaseMs) } },
          { upsert: true },
        );
      } catch (error) {
        // If another relay holds the lease, the upsert causes a duplicate key.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
      renewAtMs = monotonicMs + leaseMs / 2;
      return true;
    },
    async release(): Promise<void> {
      renewAtMs = Number.NEGATIVE_INFINITY;
      await leases.deleteOne({ _id: 'relay', holder });
    },
  };
}
