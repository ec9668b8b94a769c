import type { Sort } from '../language/values.ts';
import type { StoreQuery } from '../query.ts';
import { type QueryContext, rowFilters } from './filters.ts';
import type { EngineQuery, SortOrder, SortValues } from './types.ts';

/** A page of rows. The id of a hit is the domain, and its version the sequence. */
export interface RowsRequest {
  query: EngineQuery;
  sort: SortOrder[];
  size: number;
  search_after?: SortValues;
  track_total_hits: false;
  _source: false;
  version: true;
}

export interface PageBounds {
  limit: number;
  /** The sort values of the last row before. */
  after?: SortValues | undefined;
}

/** `limit` is the number of hits. Nothing is scored. */
export function rowsRequest(query: StoreQuery, context: QueryContext, { limit, after }: PageBounds): RowsRequest {
  return {
    query: { bool: { filter: rowFilters(query, context) } },
    sort: orderOf(query.sort),
    size: limit,
    ...(after && { search_after: after }),
    track_total_hits: false,
    _source: false,
    version: true,
  };
}

/** Every order is total, because ids are unique. A store without the value comes last. */
function orderOf(sort: Sort): SortOrder[] {
  const byId: SortOrder = { storefront_id: { order: 'asc' } };
  switch (sort) {
    case 'domain':
      return [{ domain: { order: 'asc' } }];
    case '-last_completed_scan_at':
      return [{ last_scan_at: { order: 'desc' } }, byId];
    case '-product_count':
      return [{ product_count: { order: 'desc', missing: -1 } }, byId];
    case '-last_changed_at':
      return [{ last_changed_at: { order: 'desc', missing: 0 } }, byId];
  }
}
