import { asksForChanges, type StoreFilter, whereOf } from './store-filter.ts';

const rowsPerPage = 50;

/** The request for rows of a query, which the page also shows to copy. */
export function rowsRequestOf(filter: StoreFilter, cursor = '') {
  return {
    where: whereOf(filter),
    sort: filter.sort ?? 'domain',
    view: 'compact',
    limit: rowsPerPage,
    ...(cursor !== '' && { cursor }),
    max_units: { lookup_cached: rowsPerPage, history_query: asksForChanges(filter) ? 1 : 0 },
  };
}
