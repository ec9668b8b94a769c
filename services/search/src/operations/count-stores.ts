import type { Deadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import {
  countRequests,
  dayOf,
  planFacets,
  type QueryContext,
  type RawCount,
  readCounts,
  rowsRequest,
  type StoreQuery,
} from '@shopscope/store-search';
import type { Edition } from '../domain/edition-state.ts';
import type { SearchDependencies } from './dependencies.ts';
import { findEdition, searchEdition } from './search-edition.ts';

const maxFacets = 8;
/** More than the vocabulary has technologies. */
const maxFacetSize = 20_000;
const sampleSize = 3;

export interface CountRequest {
  query: StoreQuery;
  context: QueryContext;
  editionId: string;
  facets: readonly string[];
  facetSize: number;
}

export interface StoreCount extends RawCount {
  edition: Edition;
  sampleDomains: string[];
}

/**
 * Counts the stores of an edition that match, exactly, except that `list.none` takes stores out in whole tens. A count within lists has no
 * sample, because callers see none of it.
 */
export async function countStores(
  deps: Omit<SearchDependencies, 'facts'>,
  { query, context, editionId, facets, facetSize }: CountRequest,
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<StoreCount> {
  if (facets.length > maxFacets) throw invalidField('facets', `must have at most ${maxFacets} entries`);
  if (facets.length > 0 && !(facetSize >= 1 && facetSize <= maxFacetSize))
    throw invalidField('facet_size', `must be from 1 to ${maxFacetSize}`);
  const plans = planFacets(facets, query, {
    ...context,
    vocabulary: deps.vocabulary,
    facetSize,
    today: dayOf(deps.clock.now()),
  });
  const edition = await findEdition(deps, editionId, deadline);
  const of = { edition, isLatest: editionId === '' };
  const sample = { ...query, sort: 'domain' as const };
  const sampling = query.where.list ? [] : [rowsRequest(sample, context, { limit: sampleSize })];
  // All read one edition, so they agree.
  const search = (request: object) => searchEdition(deps, of, request, deadline);
  const counted = await searchInTurn(countRequests(query, context, plans), search);
  const [sampled] = await searchInTurn(sampling, search);
  return {
    edition,
    ...readCounts(query, plans, counted),
    sampleDomains: sampled?.hits.hits.map(({ _id }) => _id) ?? [],
  };
}

/** One request after another, because each of them may use a thread of every node. */
async function searchInTurn<Request, Response>(
  requests: readonly Request[],
  search: (request: Request) => Promise<Response>,
): Promise<Response[]> {
  const responses: Response[] = [];
  for (const request of requests) responses.push(await search(request));
  return responses;
}
