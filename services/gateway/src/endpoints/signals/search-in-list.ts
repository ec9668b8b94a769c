import type { SearchSignalsRequest, SearchSignalsResponse, SignalPlace, SignalPosition } from '@shopscope/proto';
import type { OfRequest } from '../../peers/for-caller.ts';
import type { Dependencies } from '../dependencies.ts';

export interface ListSearchDependencies {
  profiles: Pick<Dependencies['profiles'], 'searchSignals' | 'listSignalPlaces' | 'getSignals'>;
  subscriptions: Pick<Dependencies['subscriptions'], 'listListDomains' | 'filterListDomains'>;
  clock: Pick<Dependencies['clock'], 'monotonicMs'>;
}

interface ListRef {
  workspaceId: string;
  listId: string;
}

/** profiles reads the signals of at most this many stores by their domains. Both services have the same bound. */
const maxStores = 5_000;
/** The number of places of one round. subscriptions looks up their domains with one query. */
const placesPerRound = 5_000;
const maxRounds = 10;
/** After this time no further round begins, so that the response comes within the time of a request. */
const roundsEndAfterMs = 3_000;

/**
 * Returns a page of the signals of the stores of a list (decision 75). profiles does not know lists, and subscriptions does not know
 * signals, so each gets domains from the other here.
 *
 * - A list of at most {@link maxStores} stores -> profiles reads the signals of these stores.
 * - A larger list -> rounds walk through the signals of all stores, and subscriptions selects those of the list.
 * - The rounds end before the page is full -> the page is short, and `next` is the place where they ended. Nothing is skipped.
 * - The list changes between two pages -> each page has the stores that the list has when it is read.
 * - Bounds: {@link maxRounds} rounds of {@link placesPerRound} places, {@link roundsEndAfterMs}, and one round in memory.
 */
export async function searchInList(
  deps: ListSearchDependencies,
  request: OfRequest,
  list: ListRef,
  search: SearchSignalsRequest,
): Promise<SearchSignalsResponse> {
  const { domains, hasMore } = await deps.subscriptions.listListDomains({ ...list, limit: maxStores }, request);
  if (hasMore) return walk(deps, request, list, search);
  const ofStores = { ...search, filters: search.filters && { ...search.filters, stores: { domains } } };
  return deps.profiles.searchSignals(ofStores, request.origin, request.deadline);
}

interface Walked {
  places: SignalPlace[];
  next: SignalPosition | undefined;
  hasMore: boolean;
}

async function walk(
  deps: ListSearchDependencies,
  request: OfRequest,
  list: ListRef,
  search: SearchSignalsRequest,
): Promise<SearchSignalsResponse> {
  const endsAtMs = deps.clock.monotonicMs() + roundsEndAfterMs;
  const found: Walked = { places: [], next: search.after, hasMore: true };
  // In a list with many stores of the corpus, a small round fills the page.
  let limit = Math.min(search.limit * 4, placesPerRound);
  for (let round = 0; round < maxRounds && found.places.length < search.limit; round++) {
    const wanted = search.limit - found.places.length;
    const { places, next, hasMore } = await walkRound(deps, request, list, {
      ...search,
      after: found.next,
      limit,
      wanted,
    });
    found.places.push(...places);
    Object.assign(found, { next, hasMore });
    if (!next || !hasMore || deps.clock.monotonicMs() >= endsAtMs) break;
    limit = placesPerRound;
  }
  const ids = found.places.map(({ id }) => id);
  const signals =
    ids.length === 0
      ? []
      : await deps.profiles.getSignals({ ids, workspaceId: list.workspaceId }, request.origin, request.deadline);
  const { withRetracted, retractedFromMs, retractedToMs } = search.filters ?? {};
  // A signal may have been retracted since its place was read.
  const isWanted = withRetracted || retractedFromMs !== undefined || retractedToMs !== undefined;
  return {
    signals: signals.filter(({ retractedAtMs }) => isWanted || retractedAtMs === undefined),
    next: found.next,
    hasMore: found.hasMore,
  };
}

/** Returns the first `wanted` places of stores of the list among the next `limit` places. */
async function walkRound(
  { profiles, subscriptions }: ListSearchDependencies,
  request: OfRequest,
  list: ListRef,
  { filters, after, limit, ascending, wanted }: SearchSignalsRequest & { wanted: number },
): Promise<Walked> {
  const query = { filters, after, limit, ascending, workspaceId: list.workspaceId };
  const page = await profiles.listSignalPlaces(query, request.origin, request.deadline);
  const domains = [...new Set(page.places.map(({ domain }) => domain))];
  const listed = new Set((await subscriptions.filterListDomains({ ...list, domains }, request)).domains);
  const places = page.places.filter(({ domain }) => listed.has(domain));
  const last = places[wanted - 1];
  if (!last || last === page.places.at(-1)) return { places, next: page.next, hasMore: page.hasMore };
  const { atMs, id } = last;
  const next = { atMs, id, recordedUntilMs: page.recordedUntilMs };
  return { places: places.slice(0, wanted), next, hasMore: true };
}
