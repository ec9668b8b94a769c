import { isDuplicateKey, type Transact } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { CorpusCount } from '../../domain/corpus-count.ts';

/** The count that is shown. It is replaced as a whole: readers get this count or the one before. */
interface CountDocument extends CorpusCount {
  _id: 'current';
}

/** The right to count. One instance holds it at a time. */
interface LeaseDocument {
  _id: 'lease';
  holder: string;
  expiresAt: Date;
}

export type CorpusCountStore = ReturnType<typeof createCorpusCountStore>;

/**
 * Stores the latest count of the corpus, in one document.
 *
 * - Size: at most 6 MB (10,000 pages). The limit of MongoDB is 16 MB.
 * - Two instances cannot count at the same time while their clocks differ by less than the lease. If they do, the instance that
 *   has lost its lease writes nothing.
 */
export function createCorpusCountStore(db: Db, transact: Transact) {
  const counts: Collection<CountDocument> = db.collection('corpus_counts');
  const leases: Collection<LeaseDocument> = db.collection('corpus_counts');

  return {
    /** Returns the time of the latest count, without the count itself. */
    async latestAt(maxTimeMS: number): Promise<Date | undefined> {
      return (await counts.findOne({ _id: 'current' }, { projection: { countedAt: 1 }, maxTimeMS }))?.countedAt;
    },

    async load(maxTimeMS: number): Promise<CorpusCount | undefined> {
      const found = await counts.findOne({ _id: 'current' }, { maxTimeMS });
      if (!found) return undefined;
      const { _id, ...count } = found;
      return count;
    },

    /** Takes the lease. Returns false while another holder has it. */
    async takeLease(holder: string, nowMs: number, leaseMs: number): Promise<boolean> {
      try {
        await leases.updateOne(
          { _id: 'lease', expiresAt: { $lte: new Date(nowMs) } },
          { $set: { holder, expiresAt: new Date(nowMs + leaseMs) } },
          { upsert: true },
        );
        return true;
      } catch (error) {
        // If the lease exists and has not expired, the upsert causes a duplicate key.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Sets the end of the lease. Returns false if the holder has lost it. */
    async renewLease(holder: string, untilMs: number): Promise<boolean> {
      const { matchedCount } = await leases.updateOne(
        { _id: 'lease', holder },
        { $set: { expiresAt: new Date(untilMs) } },
      );
      return matchedCount === 1;
    },

    async releaseLease(holder: string): Promise<void> {
      await leases.deleteOne({ _id: 'lease', holder });
    },

    /** Replaces the count and ends the lease in one transaction. Returns false and changes nothing if the holder has lost the lease. */
    replace: (holder: string, count: CorpusCount): Promise<boolean> =>
      transact(async (tx) => {
        const { deletedCount } = await leases.deleteOne({ _id: 'lease', holder }, tx);
        if (deletedCount !== 1) return false;
        await counts.replaceOne({ _id: 'current' }, count, { ...tx, upsert: true });
        return true;
      }),
  };
}
