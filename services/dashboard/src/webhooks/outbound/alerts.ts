import { daySeconds } from '@shopscope/clock';
import { type IndexDefinition, unlessDuplicate } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { Alert, AlertKind } from '../domain/alert.ts';

/** The latest alert of an endpoint, until a page sees that the endpoint was mended. */
interface AlertDocument {
  /** The endpoint. */
  _id: string;
  workspaceId: string;
  eventId: string;
  kind: AlertKind;
  at: Date;
}

export const alertIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1 }, options: {} },
  { key: { at: 1 }, options: { expireAfterSeconds: 90 * daySeconds, name: 'expiry' } },
];

export function createAlertStore(db: Db) {
  const collection = db.collection<AlertDocument>('webhook_alerts');
  return {
    /** A later alert of the endpoint stays. */
    async add({ id: eventId, workspaceId, endpointId, kind }: Alert, at: Date): Promise<void> {
      const earlier = { _id: endpointId, at: { $lt: at } };
      await unlessDuplicate(
        collection.updateOne(earlier, { $set: { workspaceId, eventId, kind, at } }, { upsert: true }),
      );
    },
    async list(workspaceId: string, limit: number, maxTimeMS: number): Promise<Alert[]> {
      const found = await collection.find({ workspaceId }, { maxTimeMS }).sort({ _id: 1 }).limit(limit).toArray();
      return found.map(({ _id, eventId: id, kind }) => ({ id, workspaceId, endpointId: _id, kind }));
    },
    /** Removes the alert of an endpoint, unless a later event has replaced it. */
    async remove({ id: eventId, endpointId }: Alert): Promise<void> {
      await collection.deleteOne({ _id: endpointId, eventId });
    },
  };
}
