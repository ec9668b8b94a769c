import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';

/** What is known of a domain as a target: kept for good, because the sequence may never run backwards. */
interface TargetDocument {
  _id: string;
  /** Of the domain's latest lease. */
  sequence: number;
  /** Absent when only {@link TargetStore.raise} knows of the domain, as {@link notBefore} is. */
  lastVisitAt?: Date;
  /** Politeness: no visit before. */
  notBefore?: Date;
}

export type TargetStore = ReturnType<typeof createTargetStore>;

export function createTargetStore(db: Db) {
  const collection: Collection<TargetDocument> = db.collection('scan_targets');

  return {
    /** When the domain may be visited next; null when it never was. */
    async notBefore(domain: string, tx: Tx): Promise<Date | null> {
      const found = await collection.findOne({ _id: domain }, { ...tx, projection: { notBefore: 1 } });
      return found?.notBefore ?? null;
    },

    /** A visit begins: returns its sequence, one above all before it. */
    async beginVisit(domain: string, at: Date, notBefore: Date, tx: Tx): Promise<number> {
      const target = await collection.findOneAndUpdate(
        { _id: domain },
        { $inc: { sequence: 1 }, $set: { lastVisitAt: at }, $max: { notBefore } },
        { upsert: true, returnDocument: 'after', ...tx },
      );
      if (!target) throw new Error('an upsert returned nothing');
      return target.sequence;
    },

    /** No later visit gets this sequence or a lower one. */
    async raise(domain: string, sequence: number, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: domain }, { $max: { sequence } }, { upsert: true, ...tx });
    },

    async endVisit(domain: string, notBefore: Date, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: domain }, { $max: { notBefore } }, tx);
    },
  };
}
