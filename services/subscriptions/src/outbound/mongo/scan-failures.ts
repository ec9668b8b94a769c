import { daySeconds } from '@shopscope/clock';
import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { failuresBeforeRest, restMs, type ScanFailure } from '../../domain/rescan.ts';

/** The latest scans of a store in a row that have failed for one reason. A store whose latest scan has succeeded has no document. */
interface FailureDocument {
  /** The domain of the store. In the environment test it follows the workspace, because each workspace has test stores of its own. */
  _id: string;
  code: string;
  count: number;
  /** The latest of the scans. */
  scanId: string;
  endedAt: Date;
}

/** Longer than a rest and the interval that follows it. With a longer interval, a store is asked rarely enough. */
const keptDays = 90;

export const scanFailureCollection = {
  indexes: [{ key: { endedAt: 1 }, options: { expireAfterSeconds: keptDays * daySeconds } }],
  shardKey: { _id: 1 },
  idBegins: 'domain',
  scatters: { 'deleteMany _id': 'the reset of a test tenant deletes the ids of one workspace, which are a range' },
} as const satisfies CollectionDefinition;

export type ScanFailureStore<E extends Environment> = Handles<E> & ReturnType<typeof scanFailureStore<E>>;

/** A scan that has succeeded. */
export interface SuccessfulScan {
  /** The workspace whose test store it is. Empty for a live store. */
  workspaceId: string;
  domain: string;
  at: Date;
}

/** The failures of scans, whoever asked for them. Every command has the shard key. */
export const createScanFailureStore = <E extends Environment>(db: Db, environment: E): ScanFailureStore<E> =>
  scanFailureStore(db.collection<FailureDocument>(nameIn(environment, 'scan_failures', '_')), environment);

function scanFailureStore<E extends Environment>(collection: Collection<FailureDocument>, environment: E) {
  const idOf = (workspaceId: string, domain: string) => (environment === 'test' ? `${workspaceId}/${domain}` : domain);

  return {
    environment,

    /** Counts failures. A scan that was counted before, or has ended before a counted one, changes nothing. */
    async count({ workspaceId }: Tenant<E>, failures: readonly ScanFailure[], maxTimeMS: number): Promise<void> {
      const updates = failures.map(({ domain, scanId, code, endedAt }) => {
        const isLater = { $lt: [{ $ifNull: ['$endedAt', new Date(0)] }, endedAt] };
        const isNew = { $and: [isLater, { $ne: ['$scanId', { $literal: scanId }] }] };
        const isInRow = { $eq: ['$code', { $literal: code }] };
        const next = {
          scanId: { $literal: scanId },
          endedAt,
          code: { $literal: code },
          count: { $cond: [isInRow, { $add: ['$count', 1] }, 1] },
        };
        const members = Object.entries(next).map(([name, value]) => [name, { $cond: [isNew, value, `$${name}`] }]);
        return {
          updateOne: {
            filter: { _id: idOf(workspaceId, domain) },
            update: [{ $set: Object.fromEntries(members) }],
            upsert: true,
          },
        };
      });
      if (updates.length > 0) await collection.bulkWrite(updates, { ordered: true, maxTimeMS });
    },

    /** Forgets the failures of stores up to a scan that has succeeded. */
    async forget(scans: readonly SuccessfulScan[], maxTimeMS: number): Promise<void> {
      const before = scans.map(({ workspaceId, domain, at }) => ({
        _id: idOf(workspaceId, domain),
        endedAt: { $lte: at },
      }));
      if (before.length > 0) await collection.deleteMany({ $or: before }, { maxTimeMS });
    },

    /** Returns those of the stores that rest after failures. */
    async resting({ workspaceId }: Tenant<E>, domains: readonly string[], now: Date, tx: Tx): Promise<Set<string>> {
      const since = new Date(now.getTime() - restMs);
      const byId = new Map(domains.map((domain) => [idOf(workspaceId, domain), domain]));
      const query = { _id: { $in: [...byId.keys()] }, count: { $gte: failuresBeforeRest }, endedAt: { $gt: since } };
      const found = await collection.find(query, { ...tx }).toArray();
      return new Set(found.flatMap(({ _id }) => byId.get(_id) ?? []));
    },

    /** Deletes the failures of a workspace's test stores. Live stores belong to no workspace. */
    async deleteOf({ workspaceId }: Tenant<E>, maxTimeMS: number): Promise<void> {
      // The character after `/` ends the ids of the workspace.
      await collection.deleteMany({ _id: { $gte: `${workspaceId}/`, $lt: `${workspaceId}0` } }, { maxTimeMS });
    },
  };
}
