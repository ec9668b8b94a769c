import { type Drop, dropsOf, type Entry, entriesOf, type StoreFacts } from '../document/facts.ts';
import type { Day } from '../language/days.ts';
import type { SearchVocabulary } from '../language/vocabulary.ts';
import { isPositive, type StoreQuery } from '../query.ts';
import { dropFits, entryFits, storeFits } from './fits.ts';

/** What a row says beside the store's body, from what is known of the store now. */
export interface RowFacts {
  /** One entry per positive clause and technology that fits. */
  matched: MatchedTechnology[];
  /** The removals that fit a positive clause of `dropped`, the latest first. */
  dropped: DroppedTechnology[];
  /** The store does not match the query any more. */
  changedSinceEdition: boolean;
}

export interface MatchedTechnology {
  technology: string;
  install_state: string;
  since: 'observed' | 'at_first_scan';
  first_observed_at: string;
  last_confirmed_at: string;
}

export interface DroppedTechnology {
  technology: string;
  signal_id: string;
  effective_at: string;
  confirmed_at: string;
}

export interface RowContext {
  vocabulary: SearchVocabulary;
  /** The first day of the window of `dropped` and `moved`. */
  windowFrom?: Day | undefined;
}

export function rowFactsOf(facts: StoreFacts, query: StoreQuery, { vocabulary, windowFrom = 0 }: RowContext): RowFacts {
  const entries = entriesOf(facts, vocabulary);
  const drops = dropsOf(facts, vocabulary);
  return {
    matched: query.where.technologies
      .filter(isPositive)
      .flatMap((clause) => matchedOf(entries.filter(entryFits(clause)))),
    dropped: droppedOf(drops, query, windowFrom),
    changedSinceEdition: !storeFits({ facts, entries, drops }, query, windowFrom),
  };
}

const matchedOf = (entries: readonly Entry[]): MatchedTechnology[] =>
  entries.map(({ slug, isOfFirstScan, body }) => ({
    technology: slug,
    install_state: body.install_state,
    since: isOfFirstScan ? 'at_first_scan' : 'observed',
    first_observed_at: body.first_observed_at,
    last_confirmed_at: body.last_confirmed_at,
  }));

function droppedOf(drops: readonly Drop[], { where }: StoreQuery, windowFrom: Day): DroppedTechnology[] {
  const tests = where.dropped.filter(isPositive).map((clause) => dropFits(clause, windowFrom));
  return drops
    .filter((drop) => tests.some((fits) => fits(drop)))
    .toSorted(
      (a, b) => b.signal.effectiveAtMs - a.signal.effectiveAtMs || (a.signal.signalId < b.signal.signalId ? 1 : -1),
    )
    .map(({ slug, signal }) => ({
      technology: slug,
      signal_id: signal.signalId,
      effective_at: new Date(signal.effectiveAtMs).toISOString(),
      confirmed_at: new Date(signal.confirmedAtMs).toISOString(),
    }));
}
