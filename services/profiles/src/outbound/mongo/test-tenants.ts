import { dayMs } from '@shopscope/clock';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';

/** A workspace of the test tenant that has scanned a store, or reset its stores. */
export interface TestTenant {
  _id: string;
  /** The latest reset, or the first scan if there was none. */
  startedAt: Date;
  /** Scans that were completed before change nothing. */
  resetAt?: Date;
  /** Deleted after this time, and its stores before it. */
  forgetAt: Date;
}

/** Scanned test stores are kept this long after their last scan. This also bounds the data of a deleted workspace. */
export const testRetentionDays = 90;
export const forgetTestAt = (sinceMs: number): Date => new Date(sinceMs + testRetentionDays * dayMs);

export const testTenantCollection = {
  indexes: [{ key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } }],
  shardKey: { _id: 1 },
} as const;

export type TestTenantStore = ReturnType<typeof createTestTenantStore>;

export function createTestTenantStore(db: Db) {
  const collection: Collection<TestTenant> = db.collection('test_tenants');

  return {
    /** Returns the workspace. Scans and resets of a workspace conflict here, so one transaction after another changes its stores. */
    async touch(workspaceId: string, at: Date, nowMs: number, tx: Tx): Promise<TestTenant> {
      const update = { $setOnInsert: { startedAt: at }, $max: { forgetAt: forgetTestAt(nowMs) } };
      const tenant = await collection.findOneAndUpdate({ _id: workspaceId }, update, {
        ...tx,
        upsert: true,
        returnDocument: 'after',
      });
      if (!tenant) throw new Error('an upsert returned no document');
      return tenant;
    },

    async reset(workspaceId: string, at: Date, tx: Tx): Promise<void> {
      const reset = { startedAt: at, resetAt: at, forgetAt: forgetTestAt(at.getTime()) };
      await collection.updateOne({ _id: workspaceId }, { $set: reset }, { ...tx, upsert: true });
    },
  };
}
