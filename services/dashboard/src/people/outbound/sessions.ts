import type { Db } from 'mongodb';
import type { SessionDocument } from '../../app/outbound/auth-documents.ts';

/** The minimum interval between two writes of the time of the latest page. */
const touchIntervalMs = 60_000;
const maxTouched = 10_000;
const maxSessions = 100;

export function createSessionStore(db: Db) {
  const collection = db.collection<SessionDocument>('session');
  const touched = new Map<string, number>();

  return {
    async touch(id: string, nowMs: number): Promise<void> {
      if (nowMs - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < touchIntervalMs) return;
      if (touched.size >= maxTouched) touched.clear();
      touched.set(id, nowMs);
      await collection.updateOne({ _id: id }, { $max: { lastSeenAt: new Date(nowMs) } });
    },
    /** The latest sessions, the last used first. */
    async list(userId: string, now: Date) {
      const found = await collection
        .find({ userId, expiresAt: { $gt: now } })
        .sort({ createdAt: -1 })
        .limit(maxSessions)
        .toArray();
      return found.map(toRow).sort((a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime());
    },
    /** Ends a session only if it belongs to this person. */
    async end(userId: string, id: string): Promise<void> {
      await collection.deleteOne({ _id: id, userId });
    },
    async endAll(userId: string, options: { except?: string | undefined } = {}): Promise<void> {
      await collection.deleteMany({ userId, ...(options.except !== undefined && { _id: { $ne: options.except } }) });
    },
  };
}

const toRow = ({ _id, createdAt, lastSeenAt, ipAddress, userAgent }: SessionDocument) => ({
  id: _id,
  createdAt,
  lastSeenAt: lastSeenAt ?? createdAt,
  address: ipAddress ?? '',
  userAgent: userAgent ?? '',
});
