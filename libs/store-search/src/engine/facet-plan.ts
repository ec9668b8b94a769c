import type { Day } from '../language/days.ts';
import type { SearchVocabulary } from '../language/vocabulary.ts';
import type { QueryContext } from './filters.ts';
import type { EngineQuery, TermsAggregation } from './types.ts';

/** How the engine counts a facet. */
export type FacetPlan = TermsFacet | MonthsFacet;

interface PlannedFacet {
  /** As in the request. */
  field: string;
  /** A store has exactly one value, or none: the values, the other ones and the unknown ones add up to the total. */
  isSingle: boolean;
}

export interface TermsFacet extends PlannedFacet {
  kind: 'terms';
  terms: TermsAggregation;
  /** The stores without a known value. */
  unknown: EngineQuery;
}

export interface MonthsFacet extends PlannedFacet {
  kind: 'months';
  /** By month, for example 2026-08. */
  months: Record<string, EngineQuery>;
  /** The stores with a day. */
  dated: EngineQuery;
}

export interface FacetContext extends QueryContext {
  vocabulary: Pick<SearchVocabulary, 'slugsOf' | 'listOf'>;
  facetSize: number;
  today: Day;
}
