import { dayMs } from '@shopscope/clock';
import { fromMongo, type Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';

/** A workspace of the test tenant that has scanned a store, or reset its stores. */
export interface TestTenant {
  _id: string;
  /** The latest reset, or the first scan if there was none. */
  startedAt: Date;
  /** Scans that were completed before change nothing. */
  resetAt?: Date;
  forgetAt: Date;
}

/** The workspaces, by id, and their scanned stores, by workspace and domain. */
export const testStoresName = 'test_stores';

const retentionDays = 90;
/** Scanned test stores are kept this long after the latest scan. */
export const forgetTestAt = (sinceMs: number): Date => new Date(sinceMs + retentionDays * dayMs);

export type TestTenantStore = ReturnType<typeof createTestTenantStore>;

export function createTestTenantStore(db: Db) {
  const collection: Collection<TestTenant> = db.collection(testStoresName);

  return {
    /** Returns the workspace. Its scans and resets conflict here, so one transaction after another changes its stores. */
    async touch(workspaceId: string, { at, nowMs }: { at: Date; nowMs: number }, tx: Tx): Promise<TestTenant> {
      const update = { $setOnInsert: { startedAt: at }, $max: { forgetAt: forgetTestAt(nowMs) } };
      const options = { ...tx, upsert: true, returnDocument: 'after' } as const;
      const tenant = await collection.findOneAndUpdate({ _id: workspaceId }, update, options);
      if (!tenant) throw new Error('an upsert returned no document');
      return tenant;
    },

    /** Returns the start of the workspace. Undefined if it has neither scanned a store nor reset its stores. */
    async startedAtMs(workspaceId: string, timeoutMs: number): Promise<number | undefined> {
      const options = { maxTimeMS: Math.max(1, Math.floor(timeoutMs)), projection: { startedAt: 1 } };
      try {
        return (await collection.findOne({ _id: workspaceId }, options))?.startedAt.getTime();
      } catch (error) {
        throw fromMongo(error);
      }
    },

    async reset(workspaceId: string, at: Date, tx: Tx): Promise<void> {
      const reset = { startedAt: at, resetAt: at, forgetAt: forgetTestAt(at.getTime()) };
      await collection.updateOne({ _id: workspaceId }, { $set: reset }, { ...tx, upsert: true });
    },
  };
}
