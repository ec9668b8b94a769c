import type { StoreQuery } from '../query.ts';
import {
  type CountRequest,
  type CountResponse,
  countRequest,
  type RawCount,
  type RawFacet,
  readCount,
} from './count.ts';
import type { FacetPlan } from './facet-plan.ts';
import { shardSize } from './facets.ts';
import type { QueryContext } from './filters.ts';

/**
 * Returns the requests of a count: one, or two for a query whose `list.none` takes stores out. The second one counts these stores.
 *
 * They are subtracted in whole tens. Without the list, the number is exact for every caller. A list of one store that takes this number below
 * the edge of a rounding would else tell whether the store matches.
 */
export function countRequests(
  query: StoreQuery,
  context: QueryContext,
  plans: readonly FacetPlan[],
): [CountRequest] | [all: CountRequest, excluded: CountRequest] {
  const { none, any } = query.where.list ?? {};
  if (!none) return [countRequest(query, context, plans)];
  const { list: _, ...where } = query.where;
  const all = { ...query, where: any ? { ...where, list: { any } } : where };
  const excluded = { ...query, where: { ...where, list: { any: [excludedList] } } };
  const lists = new Map([[excludedList, excludedStores({ none, any }, context)]]);
  return [countRequest(all, context, plans), countRequest(excluded, { ...context, lists }, plans.map(withEveryValue))];
}

export function readCounts(
  query: StoreQuery,
  plans: readonly FacetPlan[],
  [all, excluded]: readonly CountResponse[],
): RawCount {
  if (!all) throw new Error('a count has a response');
  const counted = readCount(query, plans, all);
  return excluded ? without(counted, readCount(query, plans, excluded)) : counted;
}

const excludedList = 'excluded';

function excludedStores(
  { none, any }: { none: readonly string[]; any: readonly string[] | undefined },
  { lists = new Map() }: QueryContext,
): string[] {
  const storesOf = (ids: readonly string[]) => new Set(ids.flatMap((id) => lists.get(id) ?? []));
  const excluded = storesOf(none);
  return [...(any ? storesOf(any).intersection(excluded) : excluded)];
}

const withEveryValue = (plan: FacetPlan): FacetPlan =>
  plan.kind === 'terms' ? { ...plan, terms: { ...plan.terms, size: shardSize } } : plan;

const wholeTens = (stores: number) => stores - (stores % 10);

function without(all: RawCount, excluded: RawCount): RawCount {
  return {
    total: all.total - wholeTens(excluded.total),
    notJudged: all.notJudged - wholeTens(excluded.notJudged),
    facets: all.facets.map((facet, at) => facetWithout(facet, excluded.facets[at] as RawFacet, excluded.total)),
  };
}

function facetWithout(all: RawFacet, excluded: RawFacet, excludedTotal: number): RawFacet {
  const numbers = new Map(excluded.values.map(({ value, stores }) => [value, stores]));
  const numberOf = (value: string) => numbers.get(value) ?? 0;
  const listed = all.values.reduce((sum, { value }) => sum + numberOf(value), 0);
  return {
    ...all,
    values: all.values.map((each) => ({ ...each, stores: each.stores - wholeTens(numberOf(each.value)) })),
    other: all.other && all.other - wholeTens(excludedTotal - listed - excluded.unknown),
    unknown: all.unknown - wholeTens(excluded.unknown),
  };
}
