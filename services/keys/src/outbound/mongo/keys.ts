import { Binary, type ClientSession, type Collection, type Db } from 'mongodb';
import { type Key, labelRetentionDays } from '../../domain/key.ts';

interface KeyDocument extends Omit<Key, 'id'> {
  _id: string;
  fingerprint: Binary;
  /** When MongoDB may forget the key: its label's retention after revocation or expiry. */
  forgetAt: Date | null;
}

const dayMs = 24 * 60 * 60 * 1000;

export const keyIndexes = [
  { key: { fingerprint: 1 }, options: { unique: true } },
  { key: { workspaceId: 1, revokedAt: 1, _id: 1 }, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
] as const;

export type KeyStore = ReturnType<typeof createKeyStore>;

export function createKeyStore(db: Db) {
  const collection: Collection<KeyDocument> = db.collection('keys');

  return {
    async insert(key: Key, fingerprint: Buffer, session: ClientSession): Promise<void> {
      const { id, ...rest } = key;
      const forgetAt = forgetAfter(key.expiresAt);
      await collection.insertOne({ _id: id, ...rest, fingerprint: new Binary(fingerprint), forgetAt }, { session });
    },

    async findByFingerprint(fingerprint: Buffer, maxTimeMS: number): Promise<Key | null> {
      const found = await collection.findOne({ fingerprint: new Binary(fingerprint) }, { maxTimeMS });
      return found && toKey(found);
    },

    /** The key as it is after this call, or null when the workspace has no such key. A second revocation changes nothing. */
    async revoke(
      workspaceId: string,
      keyId: string,
      at: Date,
      session: ClientSession,
    ): Promise<{ key: Key; changed: boolean } | null> {
      const changed = await collection.findOneAndUpdate(
        { _id: keyId, workspaceId, revokedAt: null },
        { $set: { revokedAt: at, forgetAt: forgetAfter(at) } },
        { session, returnDocument: 'after' },
      );
      if (changed) return { key: toKey(changed), changed: true };
      const found = await collection.findOne({ _id: keyId, workspaceId }, { session });
      return found && { key: toKey(found), changed: false };
    },

    /** Keys that are not revoked, the oldest first. */
    async listLive(workspaceId: string, limit: number, maxTimeMS: number): Promise<Key[]> {
      const query = { workspaceId, revokedAt: null };
      return (await collection.find(query, { maxTimeMS }).sort({ _id: 1 }).limit(limit).toArray()).map(toKey);
    },

    /** Revoked keys, the latest revoked first. */
    async listRevoked(workspaceId: string, limit: number, maxTimeMS: number): Promise<Key[]> {
      const found = await collection
        .find({ workspaceId, revokedAt: { $gt: new Date(0) } }, { maxTimeMS })
        .sort({ revokedAt: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return found.map(toKey);
    },

    countLive(workspaceId: string, session: ClientSession): Promise<number> {
      return collection.countDocuments({ workspaceId, revokedAt: null }, { session });
    },
  };
}

function forgetAfter(end: Date | null): Date | null {
  return end && new Date(end.getTime() + labelRetentionDays * dayMs);
}

function toKey({ _id, fingerprint: _, forgetAt: __, ...rest }: KeyDocument): Key {
  return { id: _id, ...rest };
}
