import { fromMongo } from '@shopscope/mongo';
import { type Collection, type Db, ReadPreference } from 'mongodb';
import type { UsageRow } from '../../domain/corpus-count.ts';
import type { StoreProfile } from '../../domain/store-profile.ts';
import { listedStates, liveStates, type StoreState, usedInstallStates } from '../../domain/values.ts';

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

/** The number of stores of one range in one state. There may be several entries of the same state. */
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

    /** Counts the stores of the range by state, in one pass. Calls `add` for each row of usage. */
    async count(
      range: DomainRange,
      add: (row: UsageRow) => void,
      { timeoutMs, abort }: ReadBounds,
    ): Promise<StateCount[]> {
      const states: StateCount[] = [];
      const rows = collection.aggregate<CountRow>(countPipeline(range), {
        allowDiskUse: true,
        maxTimeMS: timeoutMs,
        // The event loop can serve look-ups between batches.
        batchSize: 1_000,
        ...(abort && { signal: abort }),
      });
      for await (const { _id, stores, lastCompletedScanAt } of rows) {
        const [technology = '', platformOrState = ''] = _id.split(' ');
        if (technology !== everyStore) add({ technology, platform: platformOrState, stores });
        else states.push({ state: platformOrState as StoreState, stores, lastCompletedScanAt });
      }
      return states;
    },
  };
}

interface CountRow {
  /** `technology platform` for live stores, and ` state` for every store. A text costs much less than an object of two members. */
  _id: string;
  stores: number;
  lastCompletedScanAt: Date;
}

/** Stands in place of a slug, so that one grouping counts both stores and technologies. */
const everyStore = '';

/**
 * - The platform counts as a technology that its stores use.
 * - A technology whose removal is a candidate does not count, because the body of the store shows it as inactive.
 */
function countPipeline(range: DomainRange) {
  const slugsOf = (input: object, slug: string) => ({ $map: { input, in: `$$this.${slug}` } });
  const used = { $filter: { input: '$technologies', cond: { $in: ['$$this.installState', usedInstallStates] } } };
  const removals = { $filter: { input: '$candidates', cond: { $eq: ['$$this.type', 'technology_removed'] } } };
  const technologies = { $setDifference: [slugsOf(used, 'slug'), slugsOf(removals, 'technology')] };
  const ofLiveStore = {
    $map: {
      input: { $setUnion: [['$platform.slug'], technologies] },
      in: { $concat: ['$$this', ' ', '$platform.slug'] },
    },
  };
  const isLive = { $in: ['$status.state', liveStates] };
  const ofEveryStore = [{ $concat: [everyStore, ' ', '$status.state'] }];
  return [
    { $match: { _id: boundOf(range), removedAt: { $exists: false } } },
    {
      $project: {
        lastCompletedScanAt: 1,
        row: { $concatArrays: [ofEveryStore, { $cond: [isLive, ofLiveStore, []] }] },
      },
    },
    { $unwind: '$row' },
    { $group: { _id: '$row', stores: { $sum: 1 }, lastCompletedScanAt: { $max: '$lastCompletedScanAt' } } },
  ];
}
