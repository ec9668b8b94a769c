import type { Deadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import {
  type QueryContext,
  type RowFacts,
  rowFactsOf,
  rowsRequest,
  type SortValues,
  type StoreQuery,
} from '@shopscope/store-search';
import type { Origin } from '@shopscope/telemetry';
import type { Edition } from '../domain/edition-state.ts';
import type { SearchResponse } from '../outbound/opensearch/points-in-time.ts';
import type { FactsWithBody } from '../outbound/store-facts.ts';
import type { SearchDependencies } from './dependencies.ts';
import { findEdition, searchEdition } from './search-edition.ts';

const maxLimit = 200;
/** As in a response of GetStores. */
const maxBytes = 4 * 1024 * 1024;

export interface FoundStore extends FactsWithBody {
  row: RowFacts;
}

export interface StorePage {
  edition: Edition;
  stores: FoundStore[];
  /** Undefined on the last page. */
  next: SortValues | undefined;
}

export interface FindRequest {
  query: StoreQuery;
  context: QueryContext;
  editionId: string;
  after: SortValues | undefined;
  limit: number;
}

type Hit = SearchResponse['hits']['hits'][number];

/**
 * Returns the next stores of an edition, as they are now. A walk over all pages has each store of the edition that matches once. Stores that
 * do not exist any more are left out. A page ends early when its bodies have {@link maxBytes}.
 */
export async function findStores(
  deps: Omit<SearchDependencies, 'clock'>,
  { query, context, editionId, after, limit }: FindRequest,
  call: { origin: Origin; deadline: Deadline },
): Promise<StorePage> {
  if (!(limit >= 1 && limit <= maxLimit)) throw invalidField('limit', `must be from 1 to ${maxLimit}`);
  const edition = await findEdition(deps, editionId, call.deadline);
  const request = rowsRequest(query, context, { limit, after });
  const { hits } = await searchEdition(deps, { edition, isLatest: editionId === '' }, request, call.deadline);
  const { found, read } = await factsOf(deps, hits.hits, call);
  const rows = { vocabulary: deps.vocabulary, windowFrom: context.windowFrom };
  const stores = found.map((store) => ({ ...store, row: rowFactsOf(store.facts, query, rows) }));
  const isLast = read === hits.hits.length && read < limit;
  return { edition, stores, next: isLast ? undefined : (hits.hits[read - 1]?.sort ?? after) };
}

/** Reads the stores of hits from profiles, from the first hit on, until their bodies are too many bytes for a page. */
async function factsOf(
  { facts }: Pick<SearchDependencies, 'facts'>,
  hits: readonly Hit[],
  call: { origin: Origin; deadline: Deadline },
): Promise<{ found: FactsWithBody[]; read: number }> {
  const domains = hits.map(({ _id }) => _id);
  const found: FactsWithBody[] = [];
  let read = 0;
  for (let bytes = 0; read < domains.length && bytes < maxBytes; ) {
    const { stores, domainsCovered } = await facts.ofFirst(domains.slice(read), call);
    found.push(...stores);
    read += domainsCovered;
    bytes += stores.reduce((sum, { body }) => sum + body.length, 0);
  }
  return { found, read };
}
