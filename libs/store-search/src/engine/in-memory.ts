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
export const searchInMemory = (documents: readonly VersionedDocument[], request: SearchRequest): InMemoryResponse =>
  resultOfSteps(searchSteps(documents, request));

/**
 * The same in short steps. The costliest count takes a second of CPU, so a service does other work between the steps. `pause` ends the search
 * if it throws.
 */
export async function searchInSteps(
  documents: readonly VersionedDocument[],
  request: SearchRequest,
  pause: () => Promise<unknown>,
): Promise<InMemoryResponse> {
  const steps = searchSteps(documents, request);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause();
  }
}

/** Work that can be interrupted at each `yield`. */
type Steps<Result> = Generator<undefined, Result, undefined>;

function resultOfSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function* searchSteps(documents: readonly VersionedDocument[], request: SearchRequest): Steps<InMemoryResponse> {
  if ('sort' in request) {
    const hits = (yield* rowSteps(documents, request)).map(({ id, sort }) => ({ _id: id, sort: [...sort] }));
    return { hits: { hits } };
  }
  const { hits, aggregations } = yield* countSteps(documents, request);
  return { hits: { ...hits, hits: [] }, ...(aggregations && { aggregations }) };
}

export interface Hit {
  id: string;
  version: number;
  sort: SortValues;
}

type Value = string | number;
type Test = (document: VersionedDocument) => boolean;

const noValues: readonly Value[] = [];

function valuesOf(document: SearchDocument, field: string): readonly Value[] {
  const value = (document as unknown as Record<string, Value | Value[] | undefined>)[field];
  if (value === undefined) return noValues;
  return Array.isArray(value) ? value : [value];
}

/** The lists of a query are read once, not for each document. */
function testOf(query: EngineQuery): Test {
  if ('bool' in query) {
    const { filter = [], must_not = [], should = [], minimum_should_match: least = 0 } = query.bool;
    const [all, none, some] = [filter.map(testOf), must_not.map(testOf), should.map(testOf)];
    return (each) =>
      all.every((test) => test(each)) &&
      !none.some((test) => test(each)) &&
      (least === 0 || some.filter((test) => test(each)).length >= least);
  }
  if ('match_all' in query) return () => true;
  if ('ids' in query) {
    const ids = new Set(query.ids.values);
    return ({ id }) => ids.has(id);
  }
  if ('exists' in query) return ({ document }) => valuesOf(document, query.exists.field).length > 0;
  if ('term' in query) return anyValueOf(query.term, (wanted) => (value) => value === wanted);
  if ('terms' in query)
    return anyValueOf(query.terms, (wanted) => {
      const texts = new Set(wanted);
      return (value) => texts.has(String(value));
    });
  return anyValueOf(query.range, (range) => (value) => isWithin(value, range));
}

/** Tests the values of the only member of such a query, which is named by the field. */
function anyValueOf<Wanted>(
  member: { [field: string]: Wanted | undefined },
  fitsOf: (wanted: Wanted) => (value: Value) => boolean,
): Test {
  const [[field, wanted] = []] = Object.entries(member);
  if (field === undefined || wanted === undefined) return () => false;
  const fits = fitsOf(wanted);
  return ({ document }) => valuesOf(document, field).some(fits);
}

/** Texts are compared as texts, and numbers as numbers. */
const isWithin = (value: Value, { gte, lte }: Range) =>
  (gte === undefined || value >= gte) && (lte === undefined || value <= lte);

const documentsPerStep = 100;

function* matching(documents: readonly VersionedDocument[], query: EngineQuery): Steps<VersionedDocument[]> {
  const test = testOf(query);
  const found: VersionedDocument[] = [];
  for (let at = 0; at < documents.length; at += documentsPerStep) {
    found.push(...documents.slice(at, at + documentsPerStep).filter(test));
    yield;
  }
  return found;
}

const compare = (a: Value, b: Value) => (a < b ? -1 : Number(a > b));

export const searchRows = (documents: readonly VersionedDocument[], request: RowsRequest): Hit[] =>
  resultOfSteps(rowSteps(documents, request));

function* rowSteps(documents: readonly VersionedDocument[], request: RowsRequest): Steps<Hit[]> {
  const order = request.sort.flatMap((each) => Object.entries(each));
  const compareAll = (a: SortValues, b: SortValues) =>
    order
      .map(([, { order: direction }], at) => (direction === 'asc' ? 1 : -1) * compare(a[at] as Value, b[at] as Value))
      .find((result) => result !== 0) ?? 0;
  const sortOf = ({ document }: VersionedDocument) =>
    order.map(([field, { missing }]) => valuesOf(document, field)[0] ?? (missing as number));
  return (yield* matching(documents, request.query))
    .map((each) => ({ id: each.id, version: each.version, sort: sortOf(each) }))
    .filter(({ sort }) => !request.search_after || compareAll(request.search_after, sort) < 0)
    .sort((a, b) => compareAll(a.sort, b.sort))
    .slice(0, request.size);
}

export const count = (documents: readonly VersionedDocument[], request: CountRequest): CountResponse =>
  resultOfSteps(countSteps(documents, request));

function* countSteps(documents: readonly VersionedDocument[], request: CountRequest): Steps<CountResponse> {
  const found = yield* matching(documents, request.query);
  return {
    hits: request.track_total_hits ? { total: { value: found.length } } : {},
    aggregations: yield* aggregate(found, request.aggs),
  };
}

function* aggregate(
  documents: readonly VersionedDocument[],
  aggregations: Record<string, EngineAggregation>,
): Steps<Record<string, object>> {
  const results: Record<string, object> = {};
  for (const [name, each] of Object.entries(aggregations)) results[name] = yield* resultOf(documents, each);
  return results;
}

function* resultOf(documents: readonly VersionedDocument[], aggregation: EngineAggregation): Steps<object> {
  if ('filter' in aggregation) {
    const found = yield* matching(documents, aggregation.filter);
    return { doc_count: found.length, ...(yield* aggregate(found, aggregation.aggs ?? {})) };
  }
  if ('filters' in aggregation) {
    const buckets: Record<string, { doc_count: number }> = {};
    for (const [name, query] of Object.entries(aggregation.filters.filters))
      buckets[name] = { doc_count: (yield* matching(documents, query)).length };
    return { buckets };
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
