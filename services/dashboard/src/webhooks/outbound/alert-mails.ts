import { daySeconds } from '@shopscope/clock';
import type { IndexDefinition } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { Alert, AlertKind } from '../domain/alert.ts';

/** The mail about an event to an admin. */
interface AlertMailDocument {
  /** Format: event/person */
  _id: string;
  workspaceId: string;
  endpointId: string;
  kind: AlertKind;
  userId: string;
  /** Absent after the mail was sent, or when it was no longer needed. */
  dueAt?: Date;
  attempts: number;
  createdAt: Date;
}

export interface AlertMail extends Omit<Alert, 'id'> {
  id: string;
  userId: string;
  /** Counts this one. */
  attempts: number;
}

/** Longer than Kafka keeps the event, so that a repeated event makes no second mail. */
const keptSeconds = 14 * daySeconds;

export const alertMailIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1 }, options: {} },
  { key: { dueAt: 1 }, options: { partialFilterExpression: { dueAt: { $exists: true } } } },
  { key: { createdAt: 1 }, options: { expireAfterSeconds: keptSeconds, name: 'expiry' } },
];

export type AlertMailStore = ReturnType<typeof createAlertMailStore>;

/** There is one mail per event and person, however often the event comes. */
export function createAlertMailStore(db: Db) {
  const collection = db.collection<AlertMailDocument>('webhook_mails');
  return {
    async add({ id, ...alert }: Alert, userIds: readonly string[], now: Date): Promise<void> {
      if (userIds.length === 0) return;
      const waiting = { attempts: 0, dueAt: now, createdAt: now };
      await collection.bulkWrite(
        userIds.map((userId) => ({
          updateOne: {
            filter: { _id: `${id}/${userId}` },
            update: { $setOnInsert: { ...alert, userId, ...waiting } },
            upsert: true,
          },
        })),
      );
    },
    /** Takes the mail that has been due for the longest time. Another instance takes it after `leaseMs` if nothing is stored about it. */
    async take(now: Date, leaseMs: number): Promise<AlertMail | undefined> {
      const found = await collection.findOneAndUpdate(
        { dueAt: { $lte: now } },
        { $set: { dueAt: new Date(now.getTime() + leaseMs) }, $inc: { attempts: 1 } },
        { sort: { dueAt: 1 }, returnDocument: 'after' },
      );
      if (!found) return undefined;
      const { _id: id, workspaceId, endpointId, kind, userId, attempts } = found;
      return { id, workspaceId, endpointId, kind, userId, attempts };
    },
    async end({ id }: AlertMail): Promise<void> {
      await collection.updateOne({ _id: id }, { $unset: { dueAt: '' } });
    },
    async delay({ id }: AlertMail, dueAt: Date): Promise<void> {
      await collection.updateOne({ _id: id }, { $set: { dueAt } });
    },
    pending: (): Promise<number> => collection.countDocuments({ dueAt: { $exists: true } }),
  };
}
