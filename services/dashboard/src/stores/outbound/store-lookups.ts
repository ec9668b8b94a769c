import { daySeconds } from '@shopscope/clock';
import { type Environment, nameIn } from '@shopscope/environment';
import type { IndexDefinition } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { StoreMatch } from '../domain/store.ts';

/**
 * Stored answers of the API to look-ups and scan requests of people. If a form is sent again or a page is loaded again, the stored answer
 * is shown and no call is made.
 */
export interface StoreLookup {
  id: string;
  kind: 'lookup' | 'scan';
  domain: string;
  atMs: number;
  match: StoreMatch;
  billed: { lookup_cached: number; lookup_live: number };
  scanJobId: string | null;
  /** The store as JSON; null if the answer has no readable store. */
  store: string | null;
}

interface LookupDocument extends Omit<StoreLookup, 'id' | 'atMs'> {
  _id: string;
  workspaceId: string;
  at: Date;
}

const keptSeconds = 7 * daySeconds;

export const storeLookupIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1, at: -1 }, options: {} },
  { key: { at: 1 }, options: { expireAfterSeconds: keptSeconds, name: 'expiry' } },
];

export type StoreLookupStore = ReturnType<typeof createStoreLookupStore>;

export function createStoreLookupStore(db: Db, environment: Environment) {
  const collection = db.collection<LookupDocument>(nameIn(environment, 'store_lookups', '_'));
  const keptSince = (nowMs: number) => ({ at: { $gt: new Date(nowMs - keptSeconds * 1_000) } });
  return {
    /** Undefined if the answer belongs to another workspace. */
    async find(workspaceId: string, id: string, nowMs: number): Promise<StoreLookup | undefined> {
      const found = await collection.findOne({ _id: id, workspaceId, ...keptSince(nowMs) });
      return found ? toLookup(found) : undefined;
    },

    /** The latest look-ups without their stores, newest first. */
    async latest(workspaceId: string, limit: number, nowMs: number): Promise<Omit<StoreLookup, 'store'>[]> {
      const found = collection
        .find({ workspaceId, ...keptSince(nowMs) }, { projection: { store: 0 } })
        .sort({ at: -1 })
        .limit(limit);
      return (await found.toArray()).map((document) => toLookup(document));
    },

    /** Stores an answer. A repeated call changes nothing. */
    async keep(workspaceId: string, { id, atMs, ...lookup }: StoreLookup): Promise<void> {
      const document = { workspaceId, at: new Date(atMs), ...lookup };
      await collection.updateOne({ _id: id }, { $setOnInsert: document }, { upsert: true });
    },
  };
}

const toLookup = ({ _id, workspaceId: _, at, ...lookup }: LookupDocument): StoreLookup => ({
  id: _id,
  atMs: at.getTime(),
  ...lookup,
});
