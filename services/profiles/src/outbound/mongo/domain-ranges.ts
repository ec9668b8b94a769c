import { fromMongo } from '@shopscope/mongo';
import { type Collection, type Db, ReadPreference } from 'mongodb';
import type { StoreProfile } from '../../domain/store-profile.ts';
import { listedStates, type StoreState } from '../../domain/values.ts';

/** The domains after `after` up to and including `through`. '' sets no bound. Domains are ASCII, so every side orders them alike. */
export interface DomainRange {
  after: string;
  through: string;
}

export interface ListedDomain {
  domain: string;
  lastCompletedScanAt: Date;
}

/** The time limit on the server, and a signal that ends the read earlier. */
export interface ReadBounds {
  timeoutMs: number;
  abort?: AbortSignal;
}

/** The number of stores of one range in one state. */
export interface StateCount {
  state: StoreState;
  stores: number;
  lastCompletedScanAt: Date;
}

type StoreDocument = Omit<StoreProfile, 'domain'> & { _id: string };

/** The date of a count would be wrong if the count read a secondary that is further behind than this. */
const readPreference = new ReadPreference('secondaryPreferred', [], { maxStalenessSeconds: 120 });
const boundOf = ({ after, through }: DomainRange) => ({ $gt: after, ...(through !== '' && { $lte: through }) });

export type DomainRanges = ReturnType<typeof createDomainRanges>;

/** Reads `stores` range by range, from a secondary if there is one, because the primary serves look-ups and merges. */
export function createDomainRanges(db: Db) {
  const collection: Collection<StoreDocument> = db.collection('stores', { readPreference });

  return {
    /** Returns the domains that a sitemap lists, in ascending order. */
    async list(range: DomainRange, limit: number, { timeoutMs }: ReadBounds): Promise<ListedDomain[]> {
      try {
        const found = await collection
          .find(
            { _id: boundOf(range), 'status.state': { $in: [...listedStates] } },
            { projection: { lastCompletedScanAt: 1 }, maxTimeMS: Math.max(1, Math.floor(timeoutMs)), batchSize: limit },
          )
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        return found.map(({ _id, lastCompletedScanAt }) => ({ domain: _id, lastCompletedScanAt }));
      } catch (error) {
        throw fromMongo(error);
      }
    },

    /** Returns the last of the `size` domains after `after`, or undefined if fewer follow. Reads only the index. */
    async lastOf(after: string, size: number, { timeoutMs, abort }: ReadBounds): Promise<string | undefined> {
      const [last] = await collection
        .find(
          { _id: { $gt: after } },
          { projection: { _id: 1 }, maxTimeMS: timeoutMs, ...(abort && { signal: abort }) },
        )
        .sort({ _id: 1 })
        .skip(size - 1)
        .limit(1)
        .toArray();
      return last?._id;
    },

    /** Counts the stores of the range by state, in one pass. */
    async count(range: DomainRange, { timeoutMs, abort }: ReadBounds): Promise<StateCount[]> {
      const rows = collection.aggregate<{ _id: StoreState } & Omit<StateCount, 'state'>>(
        [
          { $match: { _id: boundOf(range), removedAt: { $exists: false } } },
          {
            $group: {
              _id: '$status.state',
              stores: { $sum: 1 },
              lastCompletedScanAt: { $max: '$lastCompletedScanAt' },
            },
          },
        ],
        { maxTimeMS: timeoutMs, ...(abort && { signal: abort }) },
      );
      return (await rows.toArray()).map(({ _id: state, ...count }) => ({ state, ...count }));
    },
  };
}
