import { asksForChanges, type StoreFilter } from './store-filter.ts';
import { whereOf } from './where-of.ts';

export const rowsPerPage = 50;

/** The request for a page of rows of a query, which the page also shows to copy. */
export function rowsRequestOf(filter: StoreFilter, { limit = rowsPerPage, cursor = '' } = {}) {
  return {
    where: whereOf(filter),
    sort: filter.sort ?? 'domain',
    view: 'compact',
    limit,
    ...(cursor !== '' && { cursor }),
    max_units: { lookup_cached: limit, history_query: asksForChanges(filter) ? 1 : 0 },
  };
}
