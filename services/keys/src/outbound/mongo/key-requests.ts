import type { Tx } from '@shopscope/mongo';
import { Binary, type Collection, type Db } from 'mongodb';
import { type KeyRequest, requestTokenLifeMs } from '../../domain/key-request.ts';

interface KeyRequestDocument {
  /** Consists of workspace id and token, so that the token is unique in the workspace. */
  _id: string;
  fingerprint: Binary;
  keyId: string;
  expiresAt: Date;
}

export const keyRequestIndexes = [{ key: { expiresAt: 1 }, options: { expireAfterSeconds: 0 } }] as const;

export type KeyRequestStore = ReturnType<typeof createKeyRequestStore>;

/** Stores the id of the key that each request token has created. */
export function createKeyRequestStore(db: Db) {
  const collection: Collection<KeyRequestDocument> = db.collection('key_requests');
  const idOf = ({ workspaceId, token }: KeyRequest) => `${workspaceId}/${token}`;

  return {
    /** Returns the key of the token, or null if the token is unused or expired by `nowMs`. */
    async find(request: KeyRequest, nowMs: number, tx: Tx): Promise<{ keyId: string; isSame: boolean } | null> {
      const found = await collection.findOne({ _id: idOf(request), expiresAt: { $gt: new Date(nowMs) } }, tx);
      return found && { keyId: found.keyId, isSame: request.fingerprint.equals(found.fingerprint.buffer) };
    },

    /** Stores the key of the token. MongoDB deletes the document some time after its expiry. Until then, a later key replaces it. */
    async put(request: KeyRequest, keyId: string, nowMs: number, tx: Tx): Promise<void> {
      const fingerprint = new Binary(request.fingerprint);
      const expiresAt = new Date(nowMs + requestTokenLifeMs);
      await collection.replaceOne({ _id: idOf(request) }, { fingerprint, keyId, expiresAt }, { ...tx, upsert: true });
    },
  };
}
