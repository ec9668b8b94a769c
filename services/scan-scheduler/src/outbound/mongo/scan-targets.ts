import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';

/** A domain as a target of scans. Never deleted, because the sequence must never decrease. */
interface TargetDocument {
  _id: string;
  /** Sequence of the domain's latest lease. */
  sequence: number;
  /** Absent, like `notBefore`, when the document was created by {@link TargetStore.raise}. */
  lastVisitAt?: Date;
  /** The earliest next visit. */
  notBefore?: Date;
  /** The addresses that the latest visit of the domain could connect to. */
  addresses?: string[];
}

/** One per restore, written by tools/backup. */
interface FloorDocument {
  /** Every later sequence is above it. */
  _id: number;
}

export type TargetStore = ReturnType<typeof createTargetStore>;

export function createTargetStore(db: Db) {
  const collection: Collection<TargetDocument> = db.collection('scan_targets');
  const floors: Collection<FloorDocument> = db.collection('sequence_floors');

  return {
    /** The earliest next visits of the domains; one that was never visited is absent. */
    async notBefore(domains: readonly string[], tx: Tx): Promise<Map<string, Date>> {
      if (domains.length === 0) return new Map();
      const found = collection.find({ _id: { $in: [...domains] } }, { ...tx, projection: { notBefore: 1 } });
      return new Map((await found.toArray()).flatMap(({ _id, notBefore }) => (notBefore ? [[_id, notBefore]] : [])));
    },

    /** Starts a visit; returns its sequence, which is higher than all earlier ones and than the floor of the last restore. */
    async beginVisit(domain: string, at: Date, notBefore: Date, tx: Tx): Promise<number> {
      const floor = (await floors.findOne({}, { ...tx, sort: { _id: -1 } }))?._id ?? 0;
      const sequence = { $add: [{ $max: ['$sequence', floor] }, 1] };
      const target = await collection.findOneAndUpdate(
        { _id: domain },
        [{ $set: { sequence, lastVisitAt: at, notBefore: { $max: ['$notBefore', notBefore] } } }],
        { upsert: true, returnDocument: 'after', ...tx },
      );
      if (!target) throw new Error('an upsert returned nothing');
      return target.sequence;
    },

    /** Raises the sequence, so that later visits get a higher one. */
    async raise(domain: string, sequence: number, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: domain }, { $max: { sequence } }, { upsert: true, ...tx });
    },

    /** {@link raise} for many domains, with one command and outside a transaction: the order has no effect. */
    async raiseAll(visits: readonly { domain: string; sequence: number }[]): Promise<void> {
      if (visits.length === 0) return;
      await collection.bulkWrite(
        visits.map(({ domain, sequence }) => ({
          updateOne: { filter: { _id: domain }, update: { $max: { sequence } }, upsert: true },
        })),
        { ordered: false },
      );
    },

    /** The addresses of the domains at their latest visits. */
    async addresses(domains: readonly string[]): Promise<Map<string, string[]>> {
      const found = collection.find({ _id: { $in: [...domains] } }, { projection: { addresses: 1 } });
      return new Map((await found.toArray()).flatMap(({ _id, addresses }) => (addresses ? [[_id, addresses]] : [])));
    },

    async setAddresses(domain: string, addresses: readonly string[], maxTimeMS: number): Promise<void> {
      await collection.updateOne({ _id: domain }, { $set: { addresses: [...addresses] } }, { maxTimeMS });
    },

    async endVisit(domain: string, notBefore: Date, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: domain }, { $max: { notBefore } }, tx);
    },
  };
}
