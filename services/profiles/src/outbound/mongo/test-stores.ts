import { fromMongo, type Tx } from '@shopscope/mongo';
import { Binary, type Collection, type Db } from 'mongodb';
import type { KeptSignal } from '../../domain/kept-signal.ts';
import type { StoreBody } from '../../domain/store-body.ts';
import type { StoreProfile } from '../../domain/store-profile.ts';
import type { StoredBody } from './store-bodies.ts';
import { forgetTestAt } from './test-tenants.ts';

/** A store of the test tenant that a workspace has scanned. */
export interface ScannedStore {
  profile: StoreProfile;
  body: StoreBody;
  signals: readonly KeptSignal[];
  /** The latest scans, which may be delivered again. */
  scanIds: readonly string[];
}

interface ScannedDocument extends Omit<ScannedStore, 'body'> {
  workspaceId: string;
  domain: string;
  body: Binary | Buffer;
  etag: string;
  lastCompletedScanAt: Date;
  forgetAt: Date;
}

export const testStoreCollection = {
  indexes: [
    { key: { workspaceId: 1, domain: 1 }, options: { unique: true } },
    { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: 'ids are random',
} as const;

export type TestStores = ReturnType<typeof createTestStores>;

/** The stores of the test tenant that differ from the frozen corpus. Each workspace has its own: at most as many as find a store. */
export function createTestStores(db: Db) {
  const collection: Collection<ScannedDocument> = db.collection('test_stores', { promoteBuffers: true });
  const read = async <Row>(rows: () => Promise<Row[]>) => {
    try {
      return await rows();
    } catch (error) {
      throw fromMongo(error);
    }
  };
  const ofWorkspace = (workspaceId: string, domains: readonly string[] | undefined) =>
    domains ? { workspaceId, domain: { $in: domains as string[] } } : { workspaceId };
  const maxTimeMs = (timeoutMs: number) => ({ maxTimeMS: Math.max(1, Math.floor(timeoutMs)) });

  return {
    async find(workspaceId: string, domain: string, tx: Tx): Promise<Omit<ScannedStore, 'body'> | undefined> {
      const projection = { profile: 1, signals: 1, scanIds: 1 };
      const found = await collection.findOne({ workspaceId, domain }, { ...tx, projection });
      return found ?? undefined;
    },

    async save(workspaceId: string, { body, ...store }: ScannedStore, nowMs: number, tx: Tx): Promise<void> {
      const { domain, lastCompletedScanAt } = store.profile;
      const stored = { body: new Binary(body.bytes), etag: body.etag, lastCompletedScanAt };
      await collection.replaceOne(
        { workspaceId, domain },
        { workspaceId, domain, ...store, ...stored, forgetAt: forgetTestAt(nowMs) },
        { ...tx, upsert: true },
      );
    },

    async deleteAll(workspaceId: string, tx: Tx): Promise<void> {
      await collection.deleteMany({ workspaceId }, tx);
    },

    /** Returns the bodies of scanned stores by domain. */
    async bodies(workspaceId: string, domains: readonly string[], timeoutMs: number): Promise<Map<string, StoredBody>> {
      const projection = { domain: 1, body: 1, etag: 1, lastCompletedScanAt: 1 };
      const options = { ...maxTimeMs(timeoutMs), projection, batchSize: domains.length + 1 };
      const rows = await read(() => collection.find(ofWorkspace(workspaceId, domains), options).toArray());
      return new Map(rows.map((row) => [row.domain, row as ScannedDocument & StoredBody]));
    },

    /** Returns the last completed scans by domain. */
    async scanTimes(workspaceId: string, domains: readonly string[], timeoutMs: number): Promise<Map<string, Date>> {
      const projection = { domain: 1, lastCompletedScanAt: 1 };
      const options = { ...maxTimeMs(timeoutMs), projection, batchSize: domains.length + 1 };
      const rows = await read(() => collection.find(ofWorkspace(workspaceId, domains), options).toArray());
      return new Map(rows.map(({ domain, lastCompletedScanAt }) => [domain, lastCompletedScanAt]));
    },

    /** Returns the signals by domain, of all scanned stores or of some. */
    async signals(
      workspaceId: string,
      timeoutMs: number,
      domains?: readonly string[],
    ): Promise<Map<string, readonly KeptSignal[]>> {
      const options = { ...maxTimeMs(timeoutMs), projection: { domain: 1, signals: 1 } };
      const rows = await read(() => collection.find(ofWorkspace(workspaceId, domains), options).toArray());
      return new Map(rows.map(({ domain, signals }) => [domain, signals]));
    },
  };
}
