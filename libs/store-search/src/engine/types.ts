import type { IndexField } from '../document/index-definition.ts';

/** The part of the engine's query language that searches use. */
export type EngineQuery =
  | { bool: BoolQuery }
  | { term: FieldValue<string> }
  | { terms: FieldValue<readonly string[]> }
  | { range: FieldValue<Range> }
  | { exists: { field: IndexField } }
  | { ids: { values: readonly string[] } }
  | { match_all: Record<string, never> };

export interface BoolQuery {
  filter?: EngineQuery[];
  must_not?: EngineQuery[];
  should?: EngineQuery[];
  minimum_should_match?: number;
}

export interface Range {
  gte?: string | number;
  lte?: string | number;
}

type FieldValue<Value> = { [Field in IndexField]?: Value };

export type SortOrder = Record<string, { order: 'asc' | 'desc'; missing?: number }>;
/** The values that order a row. */
export type SortValues = readonly (string | number)[];

export type EngineAggregation = (
  | { filter: EngineQuery }
  | { filters: { filters: Record<string, EngineQuery> } }
  | { terms: TermsAggregation }
) & { aggs?: Record<string, EngineAggregation> };

export interface TermsAggregation {
  field: IndexField;
  size: number;
  /** Every shard returns all of its values, so the counts are exact. */
  shard_size: number;
  include?: readonly string[];
  exclude?: readonly string[];
}

/** A result of an aggregation. */
export interface EngineBucket {
  doc_count: number;
  [aggregation: string]: EngineBucket | { buckets: unknown } | number | string;
}

export const all: EngineQuery = { match_all: {} };
export const allOf = (queries: EngineQuery[]): EngineQuery =>
  queries.length === 1 ? (queries[0] as EngineQuery) : { bool: { filter: queries } };
export const anyOf = (queries: EngineQuery[]): EngineQuery =>
  queries.length === 1 ? (queries[0] as EngineQuery) : { bool: { should: queries, minimum_should_match: 1 } };
export const noneOf = (queries: EngineQuery[]): EngineQuery => ({ bool: { must_not: queries } });

/** Returns how many terms, ranges and lists of terms a query has. The engine bounds them. */
export function leavesOf(query: EngineQuery): number {
  if (!('bool' in query)) return 1;
  const { filter = [], must_not = [], should = [] } = query.bool;
  return [...filter, ...must_not, ...should].reduce((sum, each) => sum + leavesOf(each), 0);
}
