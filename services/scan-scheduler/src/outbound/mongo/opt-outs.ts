import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { type OptOut, timeOfChange } from '../../domain/opt-out.ts';

interface OptOutDocument extends Omit<OptOut, 'subject'> {
  _id: string;
}

export type OptOutStore = ReturnType<typeof createOptOutStore>;

/** The store has one document per subject. A removed entry stays, with the data of its removal. */
export function createOptOutStore(db: Db) {
  const collection: Collection<OptOutDocument> = db.collection('opt_outs');

  return {
    /** Adds the entry, or replaces a removed one. If an entry is already in force, it is returned, and `created` is false. */
    async add(
      { subject, reason, actor }: Pick<OptOut, 'subject' | 'reason' | 'actor'>,
      now: Date,
      tx: Tx,
    ): Promise<{ optOut: OptOut; created: boolean }> {
      const before = await collection.findOne({ _id: subject }, tx);
      if (before?.removedAt === null) return { optOut: toOptOut(before), created: false };
      const createdAt = timeOfChange(now, before?.removedAt);
      const entry = { reason, actor, createdAt, removedAt: null, removedBy: '' };
      await collection.replaceOne({ _id: subject }, entry, { ...tx, upsert: true });
      return { optOut: { subject, ...entry }, created: true };
    },

    /** Removes the entry. Returns null if no entry is in force for the subject. */
    async remove(subject: string, removedBy: string, now: Date, tx: Tx): Promise<OptOut | null> {
      const before = await collection.findOne({ _id: subject, removedAt: null }, tx);
      if (!before) return null;
      const removal = { removedAt: timeOfChange(now, before.createdAt), removedBy };
      await collection.updateOne({ _id: subject }, { $set: removal }, tx);
      return toOptOut({ ...before, ...removal });
    },

    async list(
      { withRemoved, afterSubject, limit }: { withRemoved: boolean; afterSubject: string; limit: number },
      maxTimeMS: number,
    ): Promise<OptOut[]> {
      const query = { _id: { $gt: afterSubject }, ...(!withRemoved && { removedAt: null }) };
      return (await collection.find(query, { maxTimeMS }).sort({ _id: 1 }).limit(limit).toArray()).map(toOptOut);
    },

    /** Returns the subjects that must not be visited. */
    async subjects(): Promise<string[]> {
      const found = collection.find({ removedAt: null }, { projection: { _id: 1 } });
      return (await found.toArray()).map(({ _id }) => _id);
    },

    count: () => collection.countDocuments({ removedAt: null }),
  };
}

const toOptOut = ({ _id: subject, ...rest }: OptOutDocument): OptOut => ({ subject, ...rest });
