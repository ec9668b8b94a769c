import { dayMs } from '@shopscope/clock';
import { type Environment, environments } from '@shopscope/environment';
import { fromMongo, type Tx } from '@shopscope/mongo';
import { Binary, type Collection, type Db } from 'mongodb';
import { nextNoticeAfter } from '../../domain/expiry-notice.ts';
import { type Key, keyRetentionDays } from '../../domain/key.ts';

interface KeyDocument extends Omit<Key, 'id'> {
  _id: string;
  /** It is unique. It depends on the pepper: a key that moves to another pepper gets another fingerprint. */
  fingerprint: Binary;
  /** The id of the pepper of the fingerprint. */
  pepperId: string;
  /** When MongoDB deletes the document: at the end of its retention, which starts at the revocation or the expiry. */
  forgetAt: Date | null;
  /** When the workspace gets the next notice of the expiry. Null if no notice follows, and after a revocation. */
  nextNoticeAt: Date | null;
}

/** The fingerprint of a key and the pepper that it was created with. */
export interface KeyMark {
  fingerprint: Buffer;
  pepperId: string;
}

/** The latest known request with a key. */
export interface KeyUse {
  workspaceId: string;
  keyId: string;
  lastUsedAt: Date;
}

export const keyIndexes = [
  { key: { fingerprint: 1 }, options: { unique: true } },
  { key: { workspaceId: 1, revokedAt: 1, _id: 1 }, options: {} },
  { key: { workspaceId: 1, environment: 1, revokedAt: 1, _id: 1 }, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
  { key: { nextNoticeAt: 1 }, options: { partialFilterExpression: { nextNoticeAt: { $gt: new Date(0) } } } },
  {
    key: { workspaceId: 1, environment: 1, revokedAt: 1 },
    options: { name: 'dashboard', partialFilterExpression: { use: 'dashboard' } },
  },
] as const;

export type KeyStore = ReturnType<typeof createKeyStore>;

export function createKeyStore(db: Db) {
  const collection: Collection<KeyDocument> = db.collection('keys');

  return {
    async insert(key: Key, { fingerprint, pepperId }: KeyMark, tx: Tx): Promise<void> {
      const { id, ...rest } = key;
      const forgetAt = forgetAfter(key.expiresAt);
      const mark = { fingerprint: new Binary(fingerprint), pepperId };
      const nextNoticeAt = nextNoticeAfter(key, key.createdAt.getTime());
      await collection.insertOne({ _id: id, ...rest, ...mark, forgetAt, nextNoticeAt }, tx);
    },

    /** Returns keys whose next notice of the expiry is due, the earliest first. */
    async listDueNotices(now: Date, limit: number, tx: Tx): Promise<Key[]> {
      // The first condition is the one of the partial index.
      const due = { nextNoticeAt: { $gt: new Date(0), $lte: now } };
      const options = { ...tx, limit, batchSize: limit + 1 };
      return (await collection.find(due, options).sort({ nextNoticeAt: 1 }).toArray()).map(toKey);
    },

    /** Call it in the transaction that has read the keys. A concurrent change of such a key therefore conflicts. */
    async setNextNotices(notices: readonly { id: string; at: Date | null }[], tx: Tx): Promise<void> {
      if (notices.length === 0) return;
      const updates = notices.map(({ id, at }) => ({
        updateOne: { filter: { _id: id }, update: { $set: { nextNoticeAt: at } } },
      }));
      await collection.bulkWrite(updates, { ...tx });
    },

    /**
     * Finds the key that has one of these fingerprints. Several fingerprints are read from one snapshot. Without it, a read could search
     * for the new fingerprint before a concurrent {@link move} and for the old one after the move, and miss the key.
     */
    async findByFingerprints(
      fingerprints: readonly Buffer[],
      maxTimeMS: number,
    ): Promise<{ key: Key; mark: KeyMark } | null> {
      const fingerprint = { $in: fingerprints.map((each) => new Binary(each)) };
      const readConcern = fingerprints.length > 1 ? { readConcern: { level: 'snapshot' } as const } : {};
      const found = await collection.findOne({ fingerprint }, { maxTimeMS, ...readConcern });
      return found && { key: toKey(found), mark: toMark(found) };
    },

    async find(workspaceId: string, keyId: string, options: Tx | { maxTimeMS: number }): Promise<Key | null> {
      const found = await collection.findOne({ _id: keyId, workspaceId }, options);
      return found && toKey(found);
    },

    /** Stores the key under another pepper. Returns false if the key no longer has the fingerprint `from`. */
    async move(keyId: string, from: Buffer, to: KeyMark, maxTimeMS: number): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(
        { _id: keyId, fingerprint: new Binary(from) },
        { $set: { fingerprint: new Binary(to.fingerprint), pepperId: to.pepperId } },
        { maxTimeMS },
      );
      return matchedCount === 1;
    },

    /** Counts the keys that are neither revoked nor expired, by the id of their pepper. */
    async countUsableByPepper(now: Date, maxTimeMS: number): Promise<Map<string, number>> {
      const usable = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
      const groups = collection.aggregate<{ _id: string; count: number }>(
        [{ $match: usable }, { $group: { _id: '$pepperId', count: { $sum: 1 } } }],
        { maxTimeMS },
      );
      return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
    },

    /** Returns the key as it is after this call, or null if the workspace has no such key. A repeated call changes nothing. */
    async revoke(
      { workspaceId, id }: Pick<Key, 'workspaceId' | 'id'>,
      revocation: Revocation,
      tx: Tx,
    ): Promise<{ key: Key; changed: boolean } | null> {
      const changed = await collection.findOneAndUpdate(
        { _id: id, workspaceId, revokedAt: null },
        { $set: revoked(revocation) },
        { ...tx, returnDocument: 'after' },
      );
      if (changed) return { key: toKey(changed), changed: true };
      const found = await collection.findOne({ _id: id, workspaceId }, tx);
      return found && { key: toKey(found), changed: false };
    },

    /** Revokes these keys of the workspace. Returns the keys that exist. `changed`: whether this call has revoked the key. */
    async revokeListed(
      workspaceId: string,
      ids: readonly string[],
      revocation: Revocation,
      tx: Tx,
    ): Promise<(Pick<Key, 'id' | 'label'> & { changed: boolean })[]> {
      const listed = { _id: { $in: [...ids] }, workspaceId };
      const options = { ...tx, projection: { label: 1, revokedAt: 1 }, batchSize: 1_000 };
      const found = await collection.find(listed, options).sort({ _id: 1 }).toArray();
      await collection.updateMany({ ...listed, revokedAt: null }, { $set: revoked(revocation) }, { ...tx });
      return found.map(({ _id, label, revokedAt }) => ({ id: _id, label, changed: revokedAt === null }));
    },

    /** Revokes every unrevoked key (at most 502, see create-key.ts) and returns these keys. */
    async revokeAll(workspaceId: string, revocation: Revocation, tx: Tx): Promise<Pick<Key, 'id' | 'label'>[]> {
      const unrevoked = { workspaceId, revokedAt: null };
      const options = { ...tx, projection: { label: 1 }, batchSize: 1_000 };
      const found = await collection.find(unrevoked, options).sort({ _id: 1 }).toArray();
      await collection.updateMany(unrevoked, { $set: revoked(revocation) }, { ...tx });
      return found.map(({ _id, label }) => ({ id: _id, label }));
    },

    /** Stores the latest uses. An earlier use, a repeated use and the use of an unknown key change nothing. */
    async recordUses(uses: readonly KeyUse[], maxTimeMS: number): Promise<void> {
      if (uses.length === 0) return;
      const updates = uses.map(({ workspaceId, keyId, lastUsedAt }) => ({
        updateOne: { filter: { _id: keyId, workspaceId }, update: { $max: { lastUsedAt } } },
      }));
      await collection.bulkWrite(updates, { ordered: false, maxTimeMS }).catch((error: unknown) => {
        throw fromMongo(error);
      });
    },

    /** Returns unrevoked keys, the oldest first. */
    async listLive({ limit, maxTimeMS, ...page }: Page): Promise<Key[]> {
      const query = { ...ownersOf(page), revokedAt: null };
      return (await collection.find(query, { maxTimeMS }).sort({ _id: 1 }).limit(limit).toArray()).map(toKey);
    },

    /** Returns unrevoked keys, the newest first. */
    async listLivePage({ limit, maxTimeMS, beforeId, ...page }: Page & { beforeId: string }): Promise<Key[]> {
      const query = { ...ownersOf(page), revokedAt: null, ...(beforeId && { _id: { $lt: beforeId } }) };
      return (await collection.find(query, { maxTimeMS }).sort({ _id: -1 }).limit(limit).toArray()).map(toKey);
    },

    /** Returns keys that were revoked later than `after` and come after `position`, the latest revocation first. */
    async listRevoked(page: Page & { after?: Date; position?: RevokedPosition | undefined }): Promise<Key[]> {
      const { limit, maxTimeMS, after = new Date(0), position } = page;
      const query = {
        ...ownersOf(page),
        revokedAt: { $gt: after, ...(position && { $lte: position.revokedAt }) },
        ...(position && { $nor: [{ revokedAt: position.revokedAt, _id: { $gte: position.id } }] }),
      };
      const sorted = collection.find(query, { maxTimeMS }).sort({ revokedAt: -1, _id: -1 });
      return (await sorted.limit(limit).toArray()).map(toKey);
    },

    /** Returns those of the keys that belong to the workspace. */
    async findAll(workspaceId: string, ids: readonly string[], maxTimeMS: number): Promise<Key[]> {
      const query = { _id: { $in: [...ids] }, workspaceId };
      return (await collection.find(query, { maxTimeMS }).sort({ _id: 1 }).toArray()).map(toKey);
    },

    /** Counts the unrevoked keys of both environments. */
    countUnrevoked(workspaceId: string, tx: Tx): Promise<number> {
      return collection.countDocuments({ workspaceId, revokedAt: null }, tx);
    },

    /** Counts the unrevoked keys of the dashboard in both environments. */
    countOfDashboard(workspaceId: string, tx: Tx): Promise<number> {
      const environment = { $in: [...environments] };
      return collection.countDocuments({ workspaceId, environment, revokedAt: null, use: 'dashboard' }, tx);
    },

    /** Returns the unrevoked key of the dashboard in this environment, else a revoked one, else null. */
    async findOfDashboard({ workspaceId, environment }: KeyOwner, tx: Tx): Promise<Key | null> {
      const unrevokedFirst = { ...tx, sort: { revokedAt: 1 } } as const;
      const found = await collection.findOne({ workspaceId, environment, use: 'dashboard' }, unrevokedFirst);
      return found && toKey(found);
    },
  };
}

type KeyOwner = Pick<Key, 'workspaceId' | 'environment'>;

interface Page {
  workspaceId: string;
  /** Null selects the keys of both environments. */
  environment: Environment | null;
  limit: number;
  maxTimeMS: number;
}

/** The place of a key in the order of revocations. */
interface RevokedPosition {
  revokedAt: Date;
  id: string;
}

interface Revocation {
  at: Date;
  by: string;
}

const ownersOf = ({ workspaceId, environment }: Pick<Page, 'workspaceId' | 'environment'>) =>
  environment === null ? { workspaceId } : { workspaceId, environment };

const revoked = ({ at, by }: Revocation) => ({
  revokedAt: at,
  revokedBy: by,
  forgetAt: forgetAfter(at),
  nextNoticeAt: null,
});

function forgetAfter(end: Date | null): Date | null {
  return end && new Date(end.getTime() + keyRetentionDays * dayMs);
}

function toKey({ _id, fingerprint: _, pepperId: __, forgetAt: ___, nextNoticeAt: ____, ...rest }: KeyDocument): Key {
  return { id: _id, ...rest };
}

function toMark({ fingerprint, pepperId }: KeyDocument): KeyMark {
  return { fingerprint: Buffer.from(fingerprint.buffer), pepperId };
}
