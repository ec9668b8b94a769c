import { daySeconds } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { Encoding } from '@shopscope/lists';
import { type IndexDefinition, type Transact, unlessDuplicate } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { OrganizationDocument } from '../../app/outbound/auth-documents.ts';
import type { ListRow } from '../domain/list-row.ts';
import type { StoreMatch } from '../domain/store.ts';

export interface StoreList {
  id: string;
  name: string;
  createdAtMs: number;
  createdBy: string;
  /** `open`: some batches are not finished. */
  state: 'open' | 'canceled' | 'done';
  total: number;
  batchSize: number;
  batches: number;
  /** The number of finished batches. Batches run in their order. */
  finished: number;
  bad: { count: number; lines: { line: number; text: string }[] };
  duplicates: { count: number; lines: number[] };
  /** Null if the list had only ASCII characters. */
  encoding: Encoding | null;
  billed: { lookup_cached: number; lookup_live: number };
  counts: Record<StoreMatch, number>;
}

interface ListDocument extends Omit<StoreList, 'id' | 'createdAtMs'> {
  _id: string;
  workspaceId: string;
  createdAt: Date;
  /** A request has the list until this time, while it runs a batch. */
  leaseUntil: Date;
}

interface BatchDocument {
  /** Format: list/number */
  _id: string;
  listId: string;
  number: number;
  createdAt: Date;
  domains: string[];
  rows?: ListRow[];
}

const keptSeconds = 30 * daySeconds;

export const storeListIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1, createdAt: -1 }, options: {} },
  { key: { createdAt: 1 }, options: { expireAfterSeconds: keptSeconds, name: 'expiry' } },
];

export const storeListBatchIndexes: readonly IndexDefinition[] = [
  { key: { listId: 1, number: 1 }, options: { unique: true } },
  { key: { createdAt: 1 }, options: { expireAfterSeconds: keptSeconds, name: 'expiry' } },
];

export interface ListBatch {
  number: number;
  domains: string[];
  rows: ListRow[] | undefined;
}

export type StoreListStore = ReturnType<typeof createStoreListStore>;

/** Lists of domains and their results, in batches of one API call each. */
export function createStoreListStore(db: Db, transact: Transact) {
  const lists = db.collection<ListDocument>('store_lists');
  const batches = db.collection<BatchDocument>('store_list_batches');
  const organizations = db.collection<OrganizationDocument>('organization');
  const keptSince = (nowMs: number) => ({ createdAt: { $gt: new Date(nowMs - keptSeconds * 1_000) } });

  return {
    async find(workspaceId: string, id: string, nowMs: number): Promise<StoreList | undefined> {
      const found = await lists.findOne({ _id: id, workspaceId, ...keptSince(nowMs) });
      return found ? toList(found) : undefined;
    },

    /** The lists of a workspace, newest first. */
    async list(workspaceId: string, limit: number, nowMs: number): Promise<StoreList[]> {
      const found = lists.find({ workspaceId, ...keptSince(nowMs) }).sort({ createdAt: -1 });
      return (await found.limit(limit).toArray()).map(toList);
    },

    count: (workspaceId: string, nowMs: number): Promise<number> =>
      lists.countDocuments({ workspaceId, ...keptSince(nowMs) }),

    /**
     * Stores a list. A repeated call changes nothing. False: the workspace has `most` lists, including concurrent creations. A failure
     * after each step:
     *
     * 1. Store the batches first, so that every list that is found is complete. -> They expire, or the next attempt uses them.
     * 2. Count the lists and store this one, in one transaction. Each creation changes the organization, so two creations conflict.
     */
    async create(
      workspaceId: string,
      { id, createdAtMs, ...list }: StoreList,
      domains: readonly string[],
      most: number,
    ): Promise<boolean> {
      // Step 1: the batches.
      const createdAt = new Date(createdAtMs);
      const documents = Array.from({ length: list.batches }, (_, number): BatchDocument => {
        const part = domains.slice(number * list.batchSize, (number + 1) * list.batchSize);
        return { _id: `${id}/${number}`, listId: id, number, createdAt, domains: part };
      });
      await unlessDuplicate(batches.insertMany(documents, { ordered: false }));
      // Step 2: the count and the list.
      return transact(async (tx) => {
        const open = { slug: workspaceId, deletingAt: { $exists: false } };
        const { matchedCount } = await organizations.updateOne(open, { $inc: { listChanges: 1 } }, tx);
        if (matchedCount === 0) throw new AppError('not_found', 'The workspace is being deleted.');
        if (await lists.findOne({ _id: id, workspaceId }, tx)) return true;
        if ((await lists.countDocuments({ workspaceId, ...keptSince(createdAtMs) }, tx)) >= most) return false;
        await lists.insertOne({ _id: id, workspaceId, createdAt, leaseUntil: new Date(0), ...list }, tx);
        return true;
      });
    },

    /** The batches from `first` on, in their order. */
    async batches(listId: string, first: number, count: number): Promise<ListBatch[]> {
      const found = batches.find({ listId, number: { $gte: first, $lt: first + count } }).sort({ number: 1 });
      return (await found.toArray()).map(({ number, domains, rows }) => ({ number, domains, rows }));
    },

    /** Leases the next batch to one request. Undefined: the list is not open, or another request runs a batch. */
    async lease(workspaceId: string, id: string, now: Date, leaseUntil: Date): Promise<StoreList | undefined> {
      const free = { _id: id, workspaceId, state: 'open', leaseUntil: { $lte: now } } as const;
      const found = await lists.findOneAndUpdate(free, { $set: { leaseUntil } }, { returnDocument: 'after' });
      return found ? toList(found) : undefined;
    },

    async release(id: string, leaseUntil: Date): Promise<void> {
      await lists.updateOne({ _id: id, leaseUntil }, { $set: { leaseUntil: new Date(0) } });
    },

    /**
     * Stores the rows of a batch, then counts the batch as finished. It is counted once: if the process is killed in between, the batch
     * runs again with the same result.
     */
    async finishBatch(
      { id, finished, batches: total }: StoreList,
      rows: readonly ListRow[],
      billed: StoreList['billed'],
    ): Promise<void> {
      await batches.updateOne({ _id: `${id}/${finished}` }, { $set: { rows: [...rows] } });
      const counted = Object.entries(Object.groupBy(rows, ({ match }) => match));
      const count = (more: { filter?: object; set?: object }) =>
        lists.updateOne(
          { _id: id, finished, ...more.filter },
          {
            $inc: {
              finished: 1,
              'billed.lookup_cached': billed.lookup_cached,
              'billed.lookup_live': billed.lookup_live,
              ...Object.fromEntries(counted.map(([match, some]) => [`counts.${match}`, some?.length ?? 0])),
            },
            $set: { leaseUntil: new Date(0), ...more.set },
          },
        );
      // One update counts the batch and ends the list, so that a list with all batches is never open. A canceled list stays canceled.
      const isLast = finished + 1 === total;
      const ended = isLast ? await count({ filter: { state: 'open' }, set: { state: 'done' } }) : undefined;
      if (ended === undefined || ended.matchedCount === 0) await count({});
    },

    /** Cancels a list. A running batch is finished, and no other batch begins. */
    async cancel(workspaceId: string, id: string): Promise<void> {
      await lists.updateOne({ _id: id, workspaceId, state: 'open' }, { $set: { state: 'canceled' } });
    },

    /** The list is deleted first, so that no request finds it without its batches. */
    async delete(workspaceId: string, id: string): Promise<void> {
      const { deletedCount } = await lists.deleteOne({ _id: id, workspaceId });
      if (deletedCount === 1) await batches.deleteMany({ listId: id });
    },
  };
}

const toList = ({ _id, workspaceId: _, createdAt, leaseUntil: __, ...list }: ListDocument): StoreList => ({
  id: _id,
  createdAtMs: createdAt.getTime(),
  ...list,
});
