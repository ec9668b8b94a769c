import { unlessDuplicate } from '@shopscope/mongo';
import { Binary, type Db } from 'mongodb';

interface DashboardKeyDocument {
  /** The workspace and environment: see keeperOf. */
  _id: string;
  keyId?: string;
  sealed?: Binary;
  issuedAt?: Date;
  /** Whether a person has revoked the key, and no admin has switched it on again. */
  isOff?: boolean;
  /** A request has the lease until this time, while it has a new key issued. */
  leaseUntil: Date;
}

export interface StoredDashboardKey {
  keyId: string;
  sealed: Uint8Array;
  issuedAt: Date;
}

export type DashboardKeyStore = ReturnType<typeof createDashboardKeyStore>;

/** The API keys that this service uses to call gateways, one per workspace and environment. A lease serializes concurrent issues. */
export function createDashboardKeyStore(db: Db) {
  const collection = db.collection<DashboardKeyDocument>('dashboard_keys');
  return {
    /** Undefined before the first use of the key. */
    async find(keeper: string): Promise<StoredDashboardKey | 'off' | undefined> {
      const found = await collection.findOne({ _id: keeper });
      if (found?.isOff) return 'off';
      const { keyId, sealed, issuedAt } = found ?? {};
      return keyId && sealed && issuedAt ? { keyId, sealed: sealed.buffer, issuedAt } : undefined;
    },

    /** Resolves to false if another request has the lease. */
    async lease(keeper: string, now: Date, leaseUntil: Date): Promise<boolean> {
      const free = { _id: keeper, leaseUntil: { $lte: now } };
      const leased = collection.updateOne(free, { $set: { leaseUntil } }, { upsert: true });
      return (await unlessDuplicate(leased)) !== undefined;
    },

    /** Stores the key and ends the lease. Nothing changes if the lease has passed to another request. */
    async put(keeper: string, leaseUntil: Date, { keyId, sealed, issuedAt }: StoredDashboardKey): Promise<void> {
      await collection.updateOne(
        { _id: keeper, leaseUntil },
        { $set: { keyId, sealed: new Binary(sealed), issuedAt, leaseUntil: new Date(0) }, $unset: { isOff: '' } },
      );
    },

    async release(keeper: string, leaseUntil: Date): Promise<void> {
      await collection.updateOne({ _id: keeper, leaseUntil }, { $set: { leaseUntil: new Date(0) } });
    },

    /** Removes the key, because a person has revoked it. A newer key stays. A key that another request is replacing stays, too. */
    async turnOff(keeper: string, of: { leaseUntil: Date } | { keyId: string; notLeasedAt: Date }): Promise<void> {
      const mine = 'keyId' in of ? { keyId: of.keyId, leaseUntil: { $lte: of.notLeasedAt } } : of;
      await collection.updateOne(
        { _id: keeper, ...mine },
        { $set: { isOff: true }, $unset: { keyId: '', sealed: '', issuedAt: '' } },
      );
    },
  };
}
