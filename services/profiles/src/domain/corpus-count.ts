/**
 * A count of the corpus. It is made in the background and replaced as a whole, so every number of it is of the same run.
 * The stores are read in ranges of domains, one after the other: a store that changes meanwhile counts as it was when its
 * range was read, and never twice.
 */
export interface CorpusCount {
  /** Start of the run. Every merge before it is counted, unless a secondary that was read did not have it yet. */
  countedAt: Date;
  /** Live stores. */
  stores: number;
  /** Stores of any status. */
  profiles: number;
  /** Only technologies that a live store uses. */
  usage: ReadonlyMap<string, Usage>;
  /** Ascending, without gaps. */
  pages: readonly DomainPage[];
}

/** Live stores that use a technology. */
export interface Usage {
  stores: number;
  /** The largest first, equal numbers by slug; at most {@link maxPlatforms}. */
  platforms: readonly PlatformCount[];
  storesOnOtherPlatforms: number;
}

export interface PlatformCount {
  slug: string;
  stores: number;
}

/** The domains after `after` up to and including `through`. An empty member does not bound. */
export interface DomainPage {
  after: string;
  through: string;
  /** Domains of the range that a sitemap lists. */
  domains: number;
  /** Null when the range has no such domain. */
  lastCompletedScanAt: Date | null;
}

/** The live stores of one range of domains that use `technology` on `platform`. */
export interface UsageRow {
  technology: string;
  platform: string;
  stores: number;
}

export const maxPlatforms = 20;

/** Stores by technology and platform. */
export type UsageSums = Map<string, Map<string, number>>;

/** Rows of the same technology and platform may come more than once. */
export function addUsage(sums: UsageSums, { technology, platform, stores }: UsageRow): void {
  const byPlatform = sums.get(technology) ?? new Map<string, number>();
  sums.set(technology, byPlatform.set(platform, (byPlatform.get(platform) ?? 0) + stores));
}

export function usageOf(sums: UsageSums): Map<string, Usage> {
  return new Map([...sums].map(([technology, byPlatform]) => [technology, toUsage(byPlatform)]));
}

function toUsage(byPlatform: ReadonlyMap<string, number>): Usage {
  const platforms = [...byPlatform]
    .map(([slug, stores]): PlatformCount => ({ slug, stores }))
    .sort((a, b) => b.stores - a.stores || (a.slug < b.slug ? -1 : 1));
  const total = (counts: readonly PlatformCount[]) => counts.reduce((sum, { stores }) => sum + stores, 0);
  return {
    stores: total(platforms),
    platforms: platforms.slice(0, maxPlatforms),
    storesOnOtherPlatforms: total(platforms.slice(maxPlatforms)),
  };
}
