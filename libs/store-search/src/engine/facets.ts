import { unknownCountry, unknownIndustry } from '../language/vocabulary.ts';
import type { StoreQuery } from '../query.ts';
import type { FacetContext, FacetPlan } from './facet-plan.ts';
import { droppedMonths, firstObservedMonths } from './month-facets.ts';
import { type EngineAggregation, type EngineQuery, noneOf, type TermsAggregation } from './types.ts';

/** More than the vocabulary has technologies: every shard returns all of its values, so the counts are exact. */
export const shardSize = 20_000;

/**
 * Returns how the engine counts each facet. Repeated facets are one. Throws `invalid_request` for a facet that this query does not have, and
 * for a category that does not exist.
 */
export const planFacets = (facets: readonly string[], query: StoreQuery, context: FacetContext): FacetPlan[] =>
  facets.flatMap((field, at) =>
    facets.indexOf(field) === at ? [planFacet(field, `facets[${at}]`, query, context)] : [],
  );

function planFacet(field: string, path: string, query: StoreQuery, context: FacetContext): FacetPlan {
  const [name, category] = field.split(':category=');
  if (category !== undefined) return ofCategory(field, category, path, context);
  const { facetSize } = context;
  switch (name) {
    case 'first_observed_month':
      return firstObservedMonths(path, query, context);
    case 'dropped_month':
      return droppedMonths(path, query, context);
    case 'technology':
      return multiple(field, terms('tech', facetSize), noneOf([{ exists: { field: 'tech' } }]));
    case 'category':
      return multiple(field, terms('category', facetSize), noneOf([{ exists: { field: 'category' } }]));
    case 'country':
      return single('country', facetSize, unknownCountry);
    case 'industry':
      return single('industry', facetSize, unknownIndustry);
    default:
      return single(field as 'platform' | 'status', facetSize);
  }
}

const terms = (field: TermsAggregation['field'], size: number): TermsAggregation => ({
  field,
  size,
  shard_size: shardSize,
});

const multiple = (field: string, aggregation: TermsAggregation, unknown: EngineQuery): FacetPlan => ({
  kind: 'terms',
  field,
  isSingle: false,
  terms: aggregation,
  unknown,
});

type SingleField = 'platform' | 'country' | 'industry' | 'status';

/** `notKnown` is the value of stores whose value is not known. It is counted apart. */
const single = (field: SingleField, size: number, notKnown?: string): FacetPlan => ({
  kind: 'terms',
  field,
  isSingle: true,
  terms: { ...terms(field, size), ...(notKnown !== undefined && { exclude: [notKnown] }) },
  unknown: notKnown === undefined ? noneOf([{ exists: { field } }]) : { term: { [field]: notKnown } },
});

function ofCategory(field: string, category: string, path: string, { vocabulary, facetSize }: FacetContext): FacetPlan {
  vocabulary.listOf('category', [category], () => path);
  const aggregation = { ...terms('tech', facetSize), include: vocabulary.slugsOf(category) };
  return multiple(field, aggregation, noneOf([{ terms: { category: [category] } }]));
}

/** Returns the aggregations of the facets, by names that `readCount` knows. */
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
