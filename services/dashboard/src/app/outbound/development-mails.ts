import { randomUUID } from 'node:crypto';
import { daySeconds } from '@shopscope/clock';
import type { Db } from 'mongodb';
import type { Mail } from './send-mail.ts';

interface MailDocument extends Mail {
  _id: string;
  sentAt: Date;
}

export type DevelopmentMails = ReturnType<typeof createDevelopmentMails>;

/** Mail that a development system stores instead of sending it. */
export const developmentMailIndexes = [
  { key: { sentAt: -1 }, options: {} },
  { key: { sentAt: 1 }, options: { expireAfterSeconds: 7 * daySeconds, name: 'expiry' } },
] as const;

export function createDevelopmentMails(db: Db) {
  const collection = db.collection<MailDocument>('development_mails');
  return {
    async send(mail: Mail): Promise<void> {
      await collection.insertOne({ _id: randomUUID(), ...mail, sentAt: new Date() });
    },
    /** The latest 50 mails, newest first. */
    list(): Promise<(Mail & { sentAt: Date })[]> {
      return collection
        .find({}, { projection: { _id: 0 } })
        .sort({ sentAt: -1 })
        .limit(50)
        .toArray();
    },
  };
}
