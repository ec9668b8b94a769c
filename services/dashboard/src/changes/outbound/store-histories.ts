import { daySeconds } from '@shopscope/clock';
import { type Environment, nameIn } from '@shopscope/environment';
import { type IndexDefinition, unlessDuplicate } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { HistoryPage } from '../domain/store-history.ts';

interface HistoryDocument {
  _id: string;
  workspaceId: string;
  domain: string;
  /** The id of the page with newer changes; empty on the first page. */
  newer: string;
  at: Date;
  /** Null while the API is called. */
  page: HistoryPage | null;
}

/** A stored page of the history of a store. */
export interface StoredHistory {
  id: string;
  domain: string;
  newer: string;
  atMs: number;
  page: HistoryPage;
}

export type HistoryClaim = Pick<StoredHistory, 'id' | 'domain' | 'newer'>;

const keptSeconds = 7 * daySeconds;

export const storeHistoryIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1, domain: 1, at: -1 }, options: {} },
  { key: { at: 1 }, options: { expireAfterSeconds: keptSeconds, name: 'expiry' } },
];

/** Histories that people of a workspace have read. A page that is opened again shows the stored history, and nothing is billed. */
export function createStoreHistoryStore(db: Db, environment: Environment) {
  const collection = db.collection<HistoryDocument>(nameIn(environment, 'store_histories', '_'));
  const kept = (workspaceId: string, nowMs: number) => ({
    workspaceId,
    page: { $ne: null },
    at: { $gt: new Date(nowMs - keptSeconds * 1_000) },
  });
  return {
    /** Returns false if another request has this id. */
    claim: (workspaceId: string, { id, domain, newer }: HistoryClaim, nowMs: number): Promise<boolean> =>
      unlessDuplicate(
        collection.insertOne({ _id: id, workspaceId, domain, newer, at: new Date(nowMs), page: null }),
      ).then((inserted) => inserted !== undefined),

    /** Another request may then have the id. */
    async release(id: string): Promise<void> {
      await collection.deleteOne({ _id: id, page: null });
    },

    async keep(id: string, page: HistoryPage): Promise<void> {
      await collection.updateOne({ _id: id }, { $set: { page } });
    },

    /** Undefined if it belongs to another workspace, or the API has not answered. */
    async find(workspaceId: string, id: string, nowMs: number): Promise<StoredHistory | undefined> {
      const found = await collection.findOne({ _id: id, ...kept(workspaceId, nowMs) });
      return found ? toHistory(found) : undefined;
    },

    /** The first page of the latest history of a store. */
    async latest(workspaceId: string, domain: string, nowMs: number): Promise<StoredHistory | undefined> {
      const [found] = await collection
        .find({ ...kept(workspaceId, nowMs), domain, newer: '' })
        .sort({ at: -1 })
        .limit(1)
        .toArray();
      return found ? toHistory(found) : undefined;
    },
  };
}

const toHistory = ({ _id, domain, newer, at, page }: HistoryDocument): StoredHistory => ({
  id: _id,
  domain,
  newer,
  atMs: at.getTime(),
  page: page as HistoryPage,
});
