import type { Offsets } from '@shopscope/kafka';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Job } from '../../domain/job.ts';
import { type JobDocument, toDocument, toJob } from './job-document.ts';
import { fromMark, toMark } from './offset-mark.ts';

/** A claim whose time is over, with the mark that the consumer has to pass before it may be dropped. */
export interface OverdueClaim {
  id: string;
  mark: Offsets | null;
}

export interface Releasing {
  workspaceId: string;
  chargeId: string;
  claims: readonly { jobId: string; claimedAtMs: number }[];
}

export type ClaimStore = ReturnType<typeof createClaimStore>;

/** The collection `jobs`, seen as places that a workspace's jobs hold and claims that are not decided yet. */
export function createClaimStore(db: Db) {
  const collection: Collection<JobDocument> = db.collection('jobs');

  return {
    /** Inserts what no unique index refuses; the refused ones are simply not there afterwards. Returns the others' ids. */
    async insertNew(jobs: readonly Job[], maxTimeMS: number): Promise<string[]> {
      const operations = jobs.map((job) => ({ insertOne: { document: toDocument(job) } }));
      const refused = await collection
        .bulkWrite(operations, { ordered: false, maxTimeMS })
        .then(() => new Set<number>(), duplicatesOf);
      return jobs.filter((_, index) => !refused.has(index)).map(({ id }) => id);
    },

    async findHolders(workspaceId: string, domains: readonly string[], maxTimeMS: number): Promise<Job[]> {
      const query = { workspaceId, domain: { $in: [...domains] }, holdsPlace: true };
      return (await collection.find(query, { maxTimeMS }).toArray()).map(toJob);
    },

    /** True when a live job of the workspace holds the domain's place. */
    async isPlaceHeld(workspaceId: string, domain: string, tx: Tx): Promise<boolean> {
      const query = { workspaceId, domain, holdsPlace: true };
      return (await collection.findOne(query, { ...tx, projection: { _id: 1 } })) !== null;
    },

    /** A repeated claim is as fresh as a new one: its time starts again. */
    async refresh(
      { workspaceId, chargeId, domains }: { workspaceId: string; chargeId: string; domains: readonly string[] },
      at: Date,
      maxTimeMS: number,
    ): Promise<void> {
      await collection.updateMany(
        { chargeId, state: 'requested', workspaceId, domain: { $in: [...domains] } },
        { $set: { claimedAt: at, dropMark: null } },
        { maxTimeMS },
      );
    },

    /** Drops the named claims as far as they are the same ones still; without any, all of the charge. */
    async release({ workspaceId, chargeId, claims }: Releasing, maxTimeMS: number): Promise<number> {
      const ofCharge = { chargeId, state: 'requested', workspaceId } as const;
      const named = claims.map(({ jobId, claimedAtMs }) => ({ _id: jobId, claimedAt: new Date(claimedAtMs) }));
      const query = named.length > 0 ? { ...ofCharge, $or: named } : ofCharge;
      return (await collection.deleteMany(query, { maxTimeMS })).deletedCount;
    },

    async listOverdue(before: Date, limit: number): Promise<OverdueClaim[]> {
      const found = await collection
        .find({ state: 'requested', claimedAt: { $lte: before } })
        .sort({ claimedAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, dropMark }) => ({ id: _id, mark: dropMark && fromMark(dropMark) }));
    },

    async markOverdue(ids: readonly string[], before: Date, mark: Offsets): Promise<void> {
      await collection.updateMany(
        { _id: { $in: [...ids] }, state: 'requested', claimedAt: { $lte: before }, dropMark: null },
        { $set: { dropMark: toMark(mark) } },
      );
    },

    /** Drops what is still an overdue, marked claim. Returns how many. */
    async drop(ids: readonly string[], before: Date): Promise<number> {
      const overdue = { state: 'requested', claimedAt: { $lte: before }, dropMark: { $ne: null } } as const;
      return (await collection.deleteMany({ _id: { $in: [...ids] }, ...overdue })).deletedCount;
    },
  };
}

interface Refusal {
  code?: number;
  index: number;
}

/** Which operations a unique index refused; throws what failed for another reason. */
function duplicatesOf(error: unknown): Set<number> {
  const failures = (error as { writeErrors?: Refusal[] | Refusal }).writeErrors;
  const list = failures === undefined ? [] : [failures].flat();
  if (list.length === 0 || !list.every(({ code }) => code === 11_000)) throw error;
  return new Set(list.map(({ index }) => index));
}
