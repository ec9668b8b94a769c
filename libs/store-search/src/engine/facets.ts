import { invalidField } from '@shopscope/errors';
import type { Day } from '../language/days.ts';
import { type SearchVocabulary, unknownCountry, unknownIndustry } from '../language/vocabulary.ts';
import { isPositive, type StoreQuery } from '../query.ts';
import { clipped, droppedQuery } from './changes.ts';
import type { QueryContext } from './filters.ts';
import { both, firstDayOf, lastDayOf, latestMonths, type Month, monthText } from './months.ts';
import { technologiesQuery } from './technologies.ts';
import { anyOf, type EngineAggregation, type EngineQuery, leavesOf, noneOf, type TermsAggregation } from './types.ts';

export type FacetPlan = TermsFacet | MonthsFacet;

interface PlannedFacet {
  /** As in the request. */
  field: string;
}

interface TermsFacet extends PlannedFacet {
  kind: 'terms';
  /** A store has exactly one value, so the values add up. */
  isSingle: boolean;
  terms: TermsAggregation;
  /** The stores without a value. */
  unknown: EngineQuery;
}

interface MonthsFacet extends PlannedFacet {
  kind: 'months';
  isSingle: boolean;
  months: Record<string, EngineQuery>;
  /** The stores with a day. */
  dated: EngineQuery;
}

export interface FacetContext extends QueryContext {
  vocabulary: Pick<SearchVocabulary, 'slugsOf' | 'listOf'>;
  facetSize: number;
  today: Day;
}

/** The ranges of all months of a facet, each of which costs some of the engine's time. */
const maxMonthRanges = 2_000;
/** More than the vocabulary has technologies. */
const shardSize = 20_000;
/** The first month that a facet can show. */
const earliestDay: Day = 20_100_101;

/** Throws `invalid_request` for a facet that this query does not have, and for a category that does not exist. */
export function planFacets(facets: readonly string[], query: StoreQuery, context: FacetContext): FacetPlan[] {
  return [...new Set(facets)].map((field, at) => planFacet(field, `facets[${at}]`, query, context));
}

function planFacet(field: string, path: string, query: StoreQuery, context: FacetContext): FacetPlan {
  const { facetSize: size, vocabulary } = context;
  const terms = (of: TermsAggregation['field'], more: Pick<TermsAggregation, 'include' | 'exclude'> = {}) => ({
    field: of,
    size,
    shard_size: shardSize,
    ...more,
  });
  const without = (of: TermsAggregation['field'], value: string): EngineQuery => ({ term: { [of]: value } });
  const [name, category] = field.split(':category=');
  if (category !== undefined) {
    vocabulary.listOf('category', [category], () => path);
    const unknown = noneOf([{ terms: { category: [category] } }]);
    return {
      kind: 'terms',
      field,
      isSingle: false,
      terms: terms('tech', { include: vocabulary.slugsOf(category) }),
      unknown,
    };
  }
  const missing = (of: TermsAggregation['field']): EngineQuery => noneOf([{ exists: { field: of } }]);
  switch (name) {
    case 'country':
      return {
        kind: 'terms',
        field,
        isSingle: true,
        terms: terms('country', { exclude: [unknownCountry] }),
        unknown: without('country', unknownCountry),
      };
    case 'industry':
      return {
        kind: 'terms',
        field,
        isSingle: true,
        terms: terms('industry', { exclude: [unknownIndustry] }),
        unknown: without('industry', unknownIndustry),
      };
    case 'technology':
      return { kind: 'terms', field, isSingle: false, terms: terms('tech'), unknown: missing('tech') };
    case 'category':
      return { kind: 'terms', field, isSingle: false, terms: terms('category'), unknown: missing('category') };
    case 'first_observed_month':
      return firstObservedMonths(path, query, context);
    case 'dropped_month':
      return droppedMonths(path, query, context);
    default: {
      const of = field as 'platform' | 'status';
      return { kind: 'terms', field, isSingle: true, terms: terms(of), unknown: missing(of) };
    }
  }
}

/**
 * The months in which an entry that fits a positive clause was observed first. Entries of the first scan have no month, because they may be
 * older.
 */
function firstObservedMonths(path: string, { where }: StoreQuery, { facetSize, today }: FacetContext): MonthsFacet {
  const clauses = where.technologies.filter(isPositive);
  if (clauses.length === 0)
    throw invalidField(path, 'must come with a clause of where.technologies that has all or any');
  const within = (from: Day, to: Day): EngineQuery =>
    anyOf(
      clauses.map(({ first_observed: range, ...clause }) =>
        technologiesQuery({
          ...clause,
          // A store that fits `all` has each of them, and any of them may have the month.
          quantifier: 'any',
          first_observed: both(range ?? {}, { from, to }),
          includes_first_scan: false,
        }),
      ),
    );
  const months = latestMonths({ from: earliestDay, to: today }, facetSize);
  const isSingle = slugsNamed(clauses) === 1;
  return { field: 'first_observed_month', ...monthsFacet(path, months, within), isSingle };
}

/** The months of the removals that fit a positive clause. */
function droppedMonths(
  path: string,
  { where }: StoreQuery,
  { facetSize, today, windowFrom = 0 }: FacetContext,
): MonthsFacet {
  const clauses = where.dropped.filter(isPositive);
  if (clauses.length === 0) throw invalidField(path, 'must come with a clause of where.dropped that has all or any');
  const within = (from: Day, to: Day): EngineQuery =>
    anyOf(
      clauses.map(({ effective, ...clause }) =>
        droppedQuery(
          { ...clause, quantifier: 'any', effective: both(clipped(effective, windowFrom), { from, to }) },
          windowFrom,
        ),
      ),
    );
  const months = latestMonths({ from: Math.max(windowFrom, earliestDay), to: today }, facetSize);
  // A technology may be dropped several times.
  return { field: 'dropped_month', ...monthsFacet(path, months, within), isSingle: false };
}

function monthsFacet(path: string, months: readonly Month[], within: (from: Day, to: Day) => EngineQuery) {
  const ranges = months.length * leavesOf(within(0, lastPossibleDay));
  if (ranges > maxMonthRanges) {
    const most = Math.floor((maxMonthRanges / ranges) * months.length);
    throw invalidField(path, `must have at most ${most} months with these clauses, so facet_size must be smaller`);
  }
  return {
    kind: 'months' as const,
    months: Object.fromEntries(months.map((month) => [monthText(month), within(firstDayOf(month), lastDayOf(month))])),
    dated: within(0, lastPossibleDay),
  };
}
const lastPossibleDay: Day = 99_991_231;

function slugsNamed(clauses: StoreQuery['where']['technologies']): number {
  const selected = clauses.flatMap(({ selected: { by, values } }) => values.map((value) => `${by}:${value}`));
  const names = new Set(selected);
  return selected.every((name) => name.startsWith('slug:')) ? names.size : Number.POSITIVE_INFINITY;
}

/** Returns the aggregations of facets, by names that {@link readFacets} knows. */
export function facetAggregations(plans: readonly FacetPlan[]): Record<string, EngineAggregation> {
  return Object.fromEntries(
    plans.flatMap((plan, at): [string, EngineAggregation][] =>
      plan.kind === 'terms'
        ? [
            [`facet_${at}`, { terms: plan.terms }],
            [`facet_${at}_unknown`, { filter: plan.unknown }],
          ]
        : [
            [`facet_${at}`, { filters: { filters: plan.months } }],
            [`facet_${at}_dated`, { filter: plan.dated }],
          ],
    ),
  );
}
