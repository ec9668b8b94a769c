/**
 * A count of the corpus. It is made in the background and replaced as a whole, so all its numbers come from the same run. The stores are
 * read in ranges of domains, one after the other. A store that changes meanwhile counts as it was when its range was read, and never twice.
 */
export interface CorpusCount {
  /** The start of the run. Every earlier merge is counted, unless the secondary that was read did not have it yet. */
  countedAt: Date;
  /** The number of live stores. */
  stores: number;
  /** The number of stores of any status. */
  profiles: number;
  /** The usage of each technology, by slug. Contains only technologies that a live store uses. */
  usage: ReadonlyMap<string, Usage>;
  /** The pages in ascending order, without gaps. */
  pages: readonly DomainPage[];
}

/** The live stores that use a technology. */
export interface Usage {
  stores: number;
  /** The platforms with the most stores, the largest first, equal numbers by slug. At most {@link maxPlatforms}. */
  platforms: readonly PlatformCount[];
  storesOnOtherPlatforms: number;
}

export interface PlatformCount {
  slug: string;
  stores: number;
}

/** The domains after `after` up to and including `through`. An empty member sets no bound. */
export interface DomainPage {
  after: string;
  through: string;
  /** The number of domains of the range that a sitemap lists. */
  domains: number;
  /** Null if the range has no such domain. */
  lastCompletedScanAt: Date | null;
}

/** The number of live stores in one range of domains that use `technology` on `platform`. */
export interface UsageRow {
  technology: string;
  platform: string;
  stores: number;
}

export const maxPlatforms = 20;

/** The number of stores by technology and platform. */
export type UsageSums = Map<string, Map<string, number>>;

/** Adds a row to the sums. There may be several rows of the same technology and platform. */
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
