import { AppError, invalidField } from '@shopscope/errors';
import type { EndpointMembers, Filters, Header } from '@shopscope/proto';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { webhookCreate, webhookUpdate } from './contract.ts';

type Deps = Pick<Dependencies, 'subscriptions' | 'profiles'>;
type Members = Omit<z.output<typeof webhookUpdate>, 'state'>;
type RequestedFilters = NonNullable<Members['filters']>;

/** The members of a request, as the service takes them. A member that the request does not have is absent. */
export interface CheckedMembers {
  url?: string | undefined;
  eventTypes?: string[] | undefined;
  description?: string | undefined;
  watchlistIds?: string[] | undefined;
  filters?: Filters | undefined;
  /** Null removes the bound. */
  maxPerMinute?: number | null | undefined;
  headers?: Header[] | undefined;
}

/**
 * Validates the members that other services know.
 *
 * - A watchlist belongs to another workspace, or does not exist -> 404.
 * - A filter has a value that does not exist -> 400 with the path of the value. An earlier slug of a product becomes the present one.
 */
export async function checkedMembers(deps: Deps, request: CallerRequest, members: Members): Promise<CheckedMembers> {
  const { url, event_types: eventTypes, watchlist_ids: watchlistIds, description, filters, headers } = members;
  const [checkedFilters] = await Promise.all([
    filters && filtersOf(deps, request, filters),
    watchlistIds && requireWatchlists(deps, request, watchlistIds),
  ]);
  return {
    url,
    eventTypes,
    description: description === null ? '' : description,
    watchlistIds,
    filters: checkedFilters,
    maxPerMinute: members.max_per_minute,
    headers: headers && Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
}

/** Returns the members of a new webhook. */
export async function newMembers(
  deps: Deps,
  request: CallerRequest,
  { url, event_types, ...optional }: z.output<typeof webhookCreate>,
): Promise<EndpointMembers> {
  const { description, watchlistIds, filters, maxPerMinute, headers } = await checkedMembers(deps, request, optional);
  return {
    url,
    eventTypes: event_types,
    description: description ?? '',
    watchlistIds: watchlistIds ?? [],
    filters,
    maxPerMinute: maxPerMinute ?? undefined,
    headers: headers ?? [],
  };
}

/** The contract bounds the number of ids. */
async function requireWatchlists({ subscriptions }: Deps, request: CallerRequest, ids: readonly string[]) {
  const { workspaceId } = request.caller;
  await Promise.all(
    [...new Set(ids)].map((watchlistId) => subscriptions.getWatchlist({ workspaceId, watchlistId }, request)),
  );
}

async function filtersOf(
  { profiles }: Deps,
  { origin, deadline }: CallerRequest,
  { signal_type = [], technology = [], category = [], platform = [], ...requested }: RequestedFilters,
): Promise<Filters> {
  const { country = [], industry = [], confidence_min: confidenceMin } = requested;
  const ofStore = { platforms: platform, countries: country, industries: industry };
  const values = { technologies: technology, categories: category, ...ofStore };
  const hasValues = Object.values(values).some(({ length }) => length > 0);
  const resolved = hasValues ? await profiles.resolveValues(values, origin, deadline).catch(inFilters) : values;
  return { ...resolved, signalTypes: signal_type, confidenceMin: confidenceMin ?? '' };
}

/** The filters whose values profiles knows, by their lists there. */
const filterNames = {
  technologies: 'technology',
  platforms: 'platform',
  countries: 'country',
  industries: 'industry',
  categories: 'category',
} as const;

/** profiles names its list, and the caller has the value in a filter. */
function inFilters(error: unknown): never {
  const [, list, place] = (error instanceof AppError && /^(\w+)(\[\d+\])$/.exec(String(error.details.field))) || [];
  const name = filterNames[list as keyof typeof filterNames];
  if (!(error instanceof AppError) || !name) throw error;
  throw invalidField(`filters.${name}${place}`, error.publicMessage.slice(`${list}${place}: `.length));
}
