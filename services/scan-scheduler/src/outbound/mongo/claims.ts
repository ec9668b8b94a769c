import { type Environment, nameIn } from '@shopscope/environment';
import type { Offsets } from '@shopscope/kafka';
import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Job, JobKey } from '../../domain/job.ts';
import { type JobDocument, keysIn, toDocument, toJob } from './job-document.ts';
import { fromStoredOffsets, toStoredOffsets } from './stored-offsets.ts';

/** An overdue claim. The claim may be dropped when the consumer group has reached its mark. */
export interface OverdueClaim extends JobKey {
  mark: Offsets | null;
}

export interface Releasing {
  workspaceId: string;
  chargeId: string;
  claims: readonly { jobId: string; claimedAtMs: number }[];
}

/** The claims, in the collection `jobs`. */
export function createClaimStore(db: Db, environment: Environment) {
  const collection: Collection<JobDocument> = db.collection(nameIn(environment, 'jobs', '_'));

  return {
    /** Inserts jobs. A unique index may refuse some of them. Returns the ids of the inserted jobs. */
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

    /** Saves that other charges have joined the jobs that are still live. */
    async markJoined(jobs: readonly JobKey[], maxTimeMS: number): Promise<void> {
      const query = { ...keysIn(jobs), holdsPlace: true };
      await collection.updateMany(query, { $set: { isJoined: true } }, { maxTimeMS });
    },

    /** Returns the places whose domain is held by a live job of their workspace. */
    async heldPlaces<T extends Pick<Job, 'workspaceId' | 'domain'>>(places: readonly T[], tx: Tx): Promise<Set<T>> {
      if (places.length === 0) return new Set();
      const held = places.map(({ workspaceId, domain }) => ({ workspaceId, domain, holdsPlace: true }));
      const found = await collection
        .find({ $or: held }, { ...tx, projection: { workspaceId: 1, domain: 1 } })
        .toArray();
      const taken = new Set(found.map(placeOf));
      return new Set(places.filter((place) => taken.has(placeOf(place))));
    },

    /** Sets the claim time of the charge's open claims to `at`. */
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

    /** Deletes the given claims if they were not claimed again since. An empty list means all claims of the charge. */
    async release({ workspaceId, chargeId, claims }: Releasing, maxTimeMS: number): Promise<number> {
      const ofCharge = { chargeId, state: 'requested', workspaceId } as const;
      const unchanged = claims.map(({ jobId, claimedAtMs }) => ({ _id: jobId, claimedAt: new Date(claimedAtMs) }));
      const query = unchanged.length > 0 ? { ...ofCharge, $or: unchanged } : ofCharge;
      return (await collection.deleteMany(query, { maxTimeMS })).deletedCount;
    },

    async listOverdue(before: Date, limit: number): Promise<OverdueClaim[]> {
      const found = await collection
        .find({ state: 'requested', claimedAt: { $lte: before } })
        .sort({ claimedAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id: id, workspaceId, domain, dropMark }) => {
        return { id, workspaceId, domain, mark: dropMark && fromStoredOffsets(dropMark) };
      });
    },

    async markOverdue(claims: readonly JobKey[], before: Date, mark: Offsets): Promise<void> {
      await collection.updateMany(
        { ...keysIn(claims), state: 'requested', claimedAt: { $lte: before }, dropMark: null },
        { $set: { dropMark: toStoredOffsets(mark) } },
      );
    },

    /** Drops the claims that are still overdue and marked. Returns their number. */
    async drop(claims: readonly JobKey[], before: Date): Promise<number> {
      const overdue = { state: 'requested', claimedAt: { $lte: before }, dropMark: { $ne: null } } as const;
      return (await collection.deleteMany({ ...keysIn(claims), ...overdue })).deletedCount;
    },
  };
}

const placeOf = ({ workspaceId, domain }: Pick<Job, 'workspaceId' | 'domain'>) => `${workspaceId} ${domain}`;

interface WriteError {
  code?: number;
  index: number;
}

/** Returns the indexes of the operations that a unique index refused. Throws every other error. */
function duplicatesOf(error: unknown): Set<number> {
  const failures = (error as { writeErrors?: WriteError[] | WriteError }).writeErrors;
  const list = failures === undefined ? [] : [failures].flat();
  if (list.length === 0 || !list.every(({ code }) => code === 11_000)) throw error;
  return new Set(list.map(({ index }) => index));
}
