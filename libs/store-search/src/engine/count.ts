import { judgesAbsence, type StoreQuery } from '../query.ts';
import type { FacetPlan } from './facet-plan.ts';
import { facetAggregations } from './facets.ts';
import { filtersOf, fullScope, type QueryContext } from './filters.ts';
import { type EngineAggregation, type EngineBucket, type EngineQuery, noneOf } from './types.ts';

/** A count, with the facets. It has no hits, so the engine may keep the response. */
export interface CountRequest {
  query: EngineQuery;
  size: 0;
  track_total_hits: boolean;
  aggs: Record<string, EngineAggregation>;
}

/**
 * A query that judges absence also counts the stores that it cannot judge: all else fits, and the scope is not full. Its facets are
 * therefore within the bucket `judged`.
 */
export function countRequest(query: StoreQuery, context: QueryContext, facets: readonly FacetPlan[]): CountRequest {
  const aggs = facetAggregations(facets);
  const request = { query: { bool: { filter: filtersOf(query, context) } }, size: 0 } as const;
  if (!judgesAbsence(query)) return { ...request, track_total_hits: true, aggs };
  return {
    ...request,
    track_total_hits: false,
    aggs: {
      judged: { filter: fullScope, ...(facets.length > 0 && { aggs }) },
      not_judged: { filter: noneOf([fullScope]) },
    },
  };
}

/** The members of the engine's response that are read. */
export interface CountResponse {
  hits: { total?: { value: number } | null };
  aggregations?: Record<string, unknown>;
}

/** The exact result of a count, see count-requests.ts for `list.none`. Callers see what `shownCount` makes of it. */
export interface RawCount {
  total: number;
  notJudged: number;
  facets: RawFacet[];
}

export interface RawFacet {
  field: string;
  values: FacetValue[];
  /** The stores with another value, and those without one. Undefined if a store may have several values. */
  other: number | undefined;
  unknown: number;
}

export interface FacetValue {
  value: string;
  stores: number;
}

export function readCount(query: StoreQuery, plans: readonly FacetPlan[], response: CountResponse): RawCount {
  const aggregations = (response.aggregations ?? {}) as EngineBucket;
  const isSplit = judgesAbsence(query);
  const judged = isSplit ? (aggregations.judged as EngineBucket) : aggregations;
  const total = isSplit ? judged.doc_count : (response.hits.total?.value ?? 0);
  const notJudged = isSplit ? (aggregations.not_judged as EngineBucket).doc_count : 0;
  return { total, notJudged, facets: plans.map((plan, at) => readFacet(plan, `facet_${at}`, judged, total)) };
}

function readFacet(plan: FacetPlan, name: string, bucket: EngineBucket, total: number): RawFacet {
  const countOf = (suffix: string) => (bucket[`${name}_${suffix}`] as EngineBucket).doc_count;
  const { buckets } = bucket[name] as { buckets: unknown };
  const values = plan.kind === 'terms' ? termValues(buckets as TermBucket[]) : monthValues(buckets as MonthBuckets);
  const unknown = plan.kind === 'terms' ? countOf('unknown') : total - countOf('dated');
  if (!plan.isSingle) return { field: plan.field, values, other: undefined, unknown };
  const listed = values.reduce((sum, { stores }) => sum + stores, 0);
  return { field: plan.field, values, other: total - listed - unknown, unknown };
}

type TermBucket = { key: string; doc_count: number };
type MonthBuckets = Record<string, { doc_count: number }>;

const termValues = (buckets: TermBucket[]): FacetValue[] =>
  buckets.map(({ key, doc_count }) => ({ value: key, stores: doc_count }));

/** The latest month comes first. */
const monthValues = (buckets: MonthBuckets): FacetValue[] =>
  Object.entries(buckets)
    .map(([value, { doc_count }]) => ({ value, stores: doc_count }))
    .filter(({ stores }) => stores > 0)
    .sort((a, b) => (a.value < b.value ? 1 : -1));
