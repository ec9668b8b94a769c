import type { components } from './api.gen.ts';
import { ShopscopeError } from './errors.ts';
import type { Operations, StoreWhere } from './operations.ts';
import type { PostOptions } from './send.ts';

type Schemas = components['schemas'];

export type StoreRow = Schemas['StoreRow'];
export type SearchUnits = NonNullable<Schemas['StoreSearchRequest']['max_units']>;

export interface SearchOptions {
  /** Default: by domain. */
  sort?: Schemas['StoreSearchRequest']['sort'] | undefined;
  /** Whether rows have the whole profile (`full`, default) or a few members of it, at the same price. */
  view?: Schemas['StoreSearchRequest']['view'] | undefined;
  /** The rows of a page. Default 50. */
  limit?: number | undefined;
  /**
   * The most units that the iteration bills. The last page is asked for with fewer rows, and a page that would bill
   * more is not asked for. Default: without a bound.
   */
  maxUnits?: SearchUnits | undefined;
  /** The next_cursor of an earlier page with the same `where` and `sort`. */
  cursor?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called with each page before its rows are yielded. The page tells what it billed, and where a later call continues. */
  onPage?: ((page: Schemas['StorePage']) => void) | undefined;
}

export interface CountOptions extends PostOptions {
  /** What to count the stores by, such as `country` or `technology:category=email`. At most 8. */
  facets?: Schemas['StoreCountRequest']['facets'] | undefined;
  /** The values of a facet. */
  facetSize?: number | undefined;
}

const defaultLimit = 50;

/**
 * Walks the pages of one search.
 *
 * - All pages are of one edition: each matching store comes once.
 * - An error that remains after all attempts (retry.ts) ends the iteration, after the rows before it.
 */
export async function* search(
  client: Operations,
  where: StoreWhere,
  { limit = defaultLimit, maxUnits, cursor, signal, onPage, ...order }: SearchOptions,
): AsyncGenerator<StoreRow, void, undefined> {
  const left = { ...maxUnits };
  const readsHistory = Boolean(where.dropped?.length) || where.moved !== undefined;
  for (let next = cursor ?? null; ; ) {
    const rows = Math.min(limit, left.lookup_cached ?? limit);
    if (rows < 1 || (readsHistory && (left.history_query ?? 1) < 1)) return;
    const request = { where, ...order, limit: rows, cursor: next, max_units: maxUnits && { ...left } };
    const page = await client.searchStores(request, { signal });
    onPage?.(page);
    yield* page.data;
    for (const unit of ['lookup_cached', 'history_query'] as const) {
      if (left[unit] !== undefined) left[unit] -= page.billed[unit];
    }
    if (page.next_cursor === null) return;
    if (page.next_cursor === next) throw new ShopscopeError('the service repeated a cursor');
    next = page.next_cursor;
  }
}
