import { invalidField } from '@shopscope/errors';
import { maxListedStores } from '../language/bounds.ts';
import { type Day, endOf, startOf } from '../language/days.ts';
import { judgesAbsence, type StoreQuery, type ValueFilter } from '../query.ts';
import { droppedQuery, movedQuery } from './changes.ts';
import { technologiesQuery } from './technologies.ts';
import { type EngineQuery, noneOf } from './types.ts';

/** What the filters of a query depend on beside the query. */
export interface QueryContext {
  /** The first day of the window of `dropped` and `moved`. */
  windowFrom?: Day | undefined;
  /** The domains of each list that the query names. */
  lists?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** The stores for which `none` on technologies can be decided: only a full observation shows that a technology is absent. */
export const fullScope: EngineQuery = { term: { scope: 'full' } };

/** Returns the filters of a query without {@link fullScope}. A store matches if it fulfils all of them. */
export function filtersOf({ where }: StoreQuery, { windowFrom = 0, lists = new Map() }: QueryContext): EngineQuery[] {
  const { products, last_completed_scan: scan, list } = where;
  return [
    ...values('platform', where.platform),
    ...values('country', where.country),
    ...values('industry', where.industry),
    ...values('status', where.status),
    ...where.technologies.map(technologiesQuery),
    ...where.dropped.map((clause) => droppedQuery(clause, windowFrom)),
    ...(where.moved ? [movedQuery(where.moved, windowFrom)] : []),
    ...(products ? [range('product_count', products.min, products.max)] : []),
    ...(scan ? [range('last_scan_at', scan.from && startOf(scan.from), scan.to && endOf(scan.to))] : []),
    ...(list ? listFilters(list, lists) : []),
  ];
}

/** Returns the filters of the rows of a query. */
export const rowFilters = (query: StoreQuery, context: QueryContext): EngineQuery[] => [
  ...filtersOf(query, context),
  ...(judgesAbsence(query) ? [fullScope] : []),
];

function values(field: 'platform' | 'country' | 'industry' | 'status', filter: ValueFilter | undefined): EngineQuery[] {
  return [
    ...(filter?.any ? [{ terms: { [field]: filter.any } }] : []),
    ...(filter?.none ? [noneOf([{ terms: { [field]: filter.none } }])] : []),
  ];
}

const range = (
  field: 'product_count' | 'last_scan_at',
  gte: number | undefined,
  lte: number | undefined,
): EngineQuery => ({
  range: { [field]: { ...(gte !== undefined && { gte }), ...(lte !== undefined && { lte }) } },
});

function listFilters({ any, none }: ValueFilter, lists: ReadonlyMap<string, readonly string[]>): EngineQuery[] {
  const domainsOf = (ids: readonly string[]) => [...new Set(ids.flatMap((id) => lists.get(id) ?? []))].sort();
  const [some, others] = [any && domainsOf(any), none && domainsOf(none)];
  const stores = (some?.length ?? 0) + (others?.length ?? 0);
  if (stores > maxListedStores) {
    const bound = maxListedStores.toLocaleString('en-US');
    throw invalidField(
      'where.list',
      `must have at most ${bound} stores in all lists, not ${stores.toLocaleString('en-US')}`,
    );
  }
  return [...(some ? [{ ids: { values: some } }] : []), ...(others ? [noneOf([{ ids: { values: others } }])] : [])];
}
