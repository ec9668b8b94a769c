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
  /** The pages in ascending order, without gaps. */
  pages: readonly DomainPage[];
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
