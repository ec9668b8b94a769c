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
 * - Time: the holders compare their wall clocks. A difference below half of the lease has no effect. A larger difference
 *   causes duplicate events, never lost ones.
 */
export function createLease(db: Db, options: { holder: string; leaseMs: number; clock: Clock }) {
  const { holder, leaseMs, clock } = options;
  const leases: Collection<LeaseDocument> = db.collection(leaseCollectionName);
  let renewAtMs = Number.NEGATIVE_INFINITY;

  return {
    /** Takes or renews the lease; false while another relay holds it. Calls the database after half of the lease only. */
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
        // Another relay holds the lease, so the upsert causes a duplicate key.
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
