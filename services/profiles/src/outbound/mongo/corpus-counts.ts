import { isDuplicateKey, type Transact } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { CorpusCount, Usage } from '../../domain/corpus-count.ts';

/** The count that is shown. Readers get all of it or the one before. */
interface CountDocument extends Omit<CorpusCount, 'usage'> {
  _id: 'current';
  usage: ({ slug: string } & Usage)[];
}

/** The right to count, of one instance at a time. */
interface LeaseDocument {
  _id: 'lease';
  holder: string;
  expiresAt: Date;
}

export type CorpusCountStore = ReturnType<typeof createCorpusCountStore>;

/**
 * The latest count of the corpus, in one document.
 *
 * - Size: at most 4 MB of usage (a vocabulary of 4,000 entries with 20 platforms each) and 6 MB of pages (10,000 pages), below
 *   MongoDB's 16 MB.
 * - Two instances count -> impossible while their clocks differ by less than the lease. Otherwise the one that lost its lease
 *   writes nothing.
 */
export function createCorpusCountStore(db: Db, transact: Transact) {
  const counts: Collection<CountDocument> = db.collection('corpus_counts');
  const leases: Collection<LeaseDocument> = db.collection('corpus_counts');

  return {
    /** The time of the latest count, without the count itself. */
    async latestAt(maxTimeMS: number): Promise<Date | undefined> {
      return (await counts.findOne({ _id: 'current' }, { projection: { countedAt: 1 }, maxTimeMS }))?.countedAt;
    },

    async load(maxTimeMS: number): Promise<CorpusCount | undefined> {
      const found = await counts.findOne({ _id: 'current' }, { maxTimeMS });
      if (!found) return undefined;
      const { _id, usage, ...count } = found;
      return { ...count, usage: new Map(usage.map(({ slug, ...each }) => [slug, each])) };
    },

    /** False while another holder has the lease. */
    async takeLease(holder: string, nowMs: number, leaseMs: number): Promise<boolean> {
      try {
        await leases.updateOne(
          { _id: 'lease', expiresAt: { $lte: new Date(nowMs) } },
          { $set: { holder, expiresAt: new Date(nowMs + leaseMs) } },
          { upsert: true },
        );
        return true;
      } catch (error) {
        // The lease exists and has not expired, so the upsert causes a duplicate key.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Moves the end of the lease; false when the holder has lost it. */
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

    /** Replaces the count and ends the lease in one transaction; false, without a change, when the holder has lost the lease. */
    replace: (holder: string, { usage, ...count }: CorpusCount): Promise<boolean> =>
      transact(async (tx) => {
        const { deletedCount } = await leases.deleteOne({ _id: 'lease', holder }, tx);
        if (deletedCount !== 1) return false;
        const document = { ...count, usage: [...usage].map(([slug, each]) => ({ slug, ...each })) };
        await counts.replaceOne({ _id: 'current' }, document, { ...tx, upsert: true });
        return true;
      }),
  };
}
