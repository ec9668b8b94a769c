import { fromMongo, type Tx } from '@shopscope/mongo';
import { Binary, type Collection, type Db, type Filter } from 'mongodb';
import type { KeptSignal } from '../../domain/kept-signal.ts';
import type { StoreBody } from '../../domain/store-body.ts';
import type { StoreProfile } from '../../domain/store-profile.ts';
import type { SequencedBody } from './store-bodies.ts';
import { forgetTestAt, testStoresName } from './test-tenants.ts';

/** A store of the test tenant that a workspace has scanned. */
export interface ScannedStore {
  profile: StoreProfile;
  body: StoreBody;
  signals: readonly KeptSignal[];
  /** The latest scans, which may be delivered again. */
  scanIds: readonly string[];
}

interface ScannedDocument extends Omit<ScannedStore, 'body'> {
  /** The workspace, a slash and the domain. */
  _id: string;
  domain: string;
  body: Binary | Buffer;
  etag: string;
  lastCompletedScanAt: Date;
  forgetAt: Date;
}

export const testStoreCollection = {
  indexes: [{ key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } }],
  shardKey: { _id: 1 },
  idBegins: 'workspaceId',
  scatters: {
    'find _id': 'the scanned stores of a workspace, a range of ids',
    'deleteMany _id': 'the same range, at a reset',
  },
} as const;

const idOf = (workspaceId: string, domain: string) => `${workspaceId}/${domain}`;
/** Selects some stores of a workspace, or all of them: `0` is the character after the slash. */
const idsOf = (workspaceId: string, domains?: readonly string[]): Filter<ScannedDocument> => ({
  _id: domains
    ? { $in: domains.map((domain) => idOf(workspaceId, domain)) }
    : { $gt: `${workspaceId}/`, $lt: `${workspaceId}0` },
});

export type TestStores = ReturnType<typeof createTestStores>;

/** The stores that differ from the frozen corpus. A workspace has at most as many as the test tenant. */
export function createTestStores(db: Db) {
  const collection: Collection<ScannedDocument> = db.collection(testStoresName, { promoteBuffers: true });
  const read = async (filter: Filter<ScannedDocument>, timeoutMs: number, members: readonly string[]) => {
    const projection = Object.fromEntries(['domain', ...members].map((name) => [name, 1]));
    try {
      return await collection.find(filter, { maxTimeMS: Math.max(1, Math.floor(timeoutMs)), projection }).toArray();
    } catch (error) {
      throw fromMongo(error);
    }
  };

  return {
    /** Returns the scanned ones of these stores, by domain. */
    async findAll(
      workspaceId: string,
      domains: readonly string[],
      tx: Tx,
    ): Promise<Map<string, Omit<ScannedStore, 'body'>>> {
      const projection = { domain: 1, profile: 1, signals: 1, scanIds: 1 };
      const found = await collection.find(idsOf(workspaceId, domains), { ...tx, projection }).toArray();
      return new Map(found.map(({ domain, profile, signals, scanIds }) => [domain, { profile, signals, scanIds }]));
    },

    async saveAll(workspaceId: string, stores: readonly ScannedStore[], nowMs: number, tx: Tx): Promise<void> {
      if (stores.length === 0) return;
      const operations = stores.map(({ body, ...store }) => {
        const { domain, lastCompletedScanAt } = store.profile;
        const stored = { body: new Binary(body.bytes), etag: body.etag, lastCompletedScanAt };
        const replacement = { domain, ...store, ...stored, forgetAt: forgetTestAt(nowMs) };
        return { replaceOne: { filter: { _id: idOf(workspaceId, domain) }, replacement, upsert: true } };
      });
      await collection.bulkWrite(operations, { ...tx });
    },

    async deleteAll(workspaceId: string, tx: Tx): Promise<void> {
      await collection.deleteMany(idsOf(workspaceId), tx);
    },

    /** Returns the bodies by domain, of all scanned stores or of some. */
    async bodies(
      workspaceId: string,
      timeoutMs: number,
      domains?: readonly string[],
    ): Promise<Map<string, SequencedBody>> {
      const members = ['body', 'etag', 'lastCompletedScanAt', 'profile.sequence', 'profile.firstScanAt'];
      const rows = await read(idsOf(workspaceId, domains), timeoutMs, members);
      return new Map(
        rows.map(({ domain, body, etag, lastCompletedScanAt, profile: { sequence, firstScanAt } }) => {
          return [domain, { body: body as Buffer, etag, lastCompletedScanAt, sequence, firstScanAt }];
        }),
      );
    },

    /** Returns the last completed scans by domain. */
    async scanTimes(workspaceId: string, domains: readonly string[], timeoutMs: number): Promise<Map<string, Date>> {
      const rows = await read(idsOf(workspaceId, domains), timeoutMs, ['lastCompletedScanAt']);
      return new Map(rows.map(({ domain, lastCompletedScanAt }) => [domain, lastCompletedScanAt]));
    },

    /** Returns the signals by domain, of all scanned stores or of some. */
    async signals(
      workspaceId: string,
      timeoutMs: number,
      domains?: readonly string[],
    ): Promise<Map<string, readonly KeptSignal[]>> {
      const rows = await read(idsOf(workspaceId, domains), timeoutMs, ['signals']);
      return new Map(rows.map(({ domain, signals }) => [domain, signals]));
    },
  };
}
