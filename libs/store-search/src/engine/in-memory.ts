import type { SearchDocument, VersionedDocument } from '../document/document.ts';
import type { CountRequest, CountResponse } from './count.ts';
import type { RowsRequest } from './rows.ts';
import type { EngineAggregation, EngineQuery, Range, SortValues } from './types.ts';

export type SearchRequest = RowsRequest | CountRequest;

export interface InMemoryResponse extends CountResponse {
  hits: CountResponse['hits'] & { hits: { _id: string; sort: (string | number)[] }[] };
}

/**
 * Answers a request of a search from documents in memory, as the engine does. It serves the few stores of the test tenant, and tests. A test
 * compares its responses with those of the engine.
 */
export function searchInMemory(documents: readonly VersionedDocument[], request: SearchRequest): InMemoryResponse {
  if ('sort' in request) {
    const hits = searchRows(documents, request).map(({ id, sort }) => ({ _id: id, sort: [...sort] }));
    return { hits: { hits } };
  }
  const { hits, aggregations } = count(documents, request);
  return { hits: { ...hits, hits: [] }, ...(aggregations && { aggregations }) };
}

export interface Hit {
  id: string;
  version: number;
  sort: SortValues;
}

type Value = string | number;

const valuesOf = (document: SearchDocument, field: string): readonly Value[] => {
  const value = (document as unknown as Record<string, Value | Value[] | undefined>)[field];
  return value === undefined ? [] : [value].flat();
};

export function holds({ id, document }: VersionedDocument, query: EngineQuery): boolean {
  const each = (inner: EngineQuery) => holds({ id, document, version: 0 }, inner);
  if ('bool' in query) {
    const { filter = [], must_not = [], should = [], minimum_should_match: least = 0 } = query.bool;
    return filter.every(each) && !must_not.some(each) && should.filter(each).length >= least;
  }
  if ('match_all' in query) return true;
  if ('ids' in query) return query.ids.values.includes(id);
  if ('exists' in query) return valuesOf(document, query.exists.field).length > 0;
  if ('term' in query) return some(query.term, (field, wanted) => valuesOf(document, field).includes(wanted));
  if ('terms' in query)
    return some(query.terms, (field, wanted) =>
      valuesOf(document, field).some((value) => wanted.includes(String(value))),
    );
  return some(query.range, (field, range) => valuesOf(document, field).some((value) => isWithin(value, range)));
}

/** Tests the only member of such a query, which is named by the field. */
function some<Wanted>(
  member: { [field: string]: Wanted | undefined },
  test: (field: string, wanted: Wanted) => boolean,
) {
  const [[field, wanted] = []] = Object.entries(member);
  return field !== undefined && wanted !== undefined && test(field, wanted);
}

/** Texts are compared as texts, and numbers as numbers. */
const isWithin = (value: Value, { gte, lte }: Range) =>
  (gte === undefined || value >= gte) && (lte === undefined || value <= lte);

const compare = (a: Value, b: Value) => (a < b ? -1 : Number(a > b));

export function searchRows(documents: readonly VersionedDocument[], request: RowsRequest): Hit[] {
  const order = request.sort.flatMap((each) => Object.entries(each));
  const compareAll = (a: SortValues, b: SortValues) =>
    order
      .map(([, { order: direction }], at) => (direction === 'asc' ? 1 : -1) * compare(a[at] as Value, b[at] as Value))
      .find((result) => result !== 0) ?? 0;
  const sortOf = ({ document }: VersionedDocument) =>
    order.map(([field, { missing }]) => valuesOf(document, field)[0] ?? (missing as number));
  return documents
    .filter((each) => holds(each, request.query))
    .map((each) => ({ id: each.id, version: each.version, sort: sortOf(each) }))
    .filter(({ sort }) => !request.search_after || compareAll(request.search_after, sort) < 0)
    .sort((a, b) => compareAll(a.sort, b.sort))
    .slice(0, request.size);
}

export function count(documents: readonly VersionedDocument[], request: CountRequest): CountResponse {
  const found = documents.filter((each) => holds(each, request.query));
  return {
    hits: request.track_total_hits ? { total: { value: found.length } } : {},
    aggregations: aggregate(found, request.aggs),
  };
}

function aggregate(documents: readonly VersionedDocument[], aggregations: Record<string, EngineAggregation>) {
  return Object.fromEntries(Object.entries(aggregations).map(([name, each]) => [name, resultOf(documents, each)]));
}

function resultOf(documents: readonly VersionedDocument[], aggregation: EngineAggregation): object {
  if ('filter' in aggregation) {
    const found = documents.filter((each) => holds(each, aggregation.filter));
    return { doc_count: found.length, ...aggregate(found, aggregation.aggs ?? {}) };
  }
  if ('filters' in aggregation) {
    const { filters } = aggregation.filters;
    const countOf = (query: EngineQuery) => documents.filter((each) => holds(each, query)).length;
    return {
      buckets: Object.fromEntries(
        Object.entries(filters).map(([name, query]) => [name, { doc_count: countOf(query) }]),
      ),
    };
  }
  const { field, size, include, exclude } = aggregation.terms;
  const counts = new Map<string, number>();
  for (const { document } of documents)
    for (const value of valuesOf(document, field).map(String))
      if ((include?.includes(value) ?? true) && !exclude?.includes(value))
        counts.set(value, (counts.get(value) ?? 0) + 1);
  const buckets = [...counts].map(([key, doc_count]) => ({ key, doc_count }));
  buckets.sort((a, b) => b.doc_count - a.doc_count || compare(a.key, b.key));
  return { buckets: buckets.slice(0, size) };
}
