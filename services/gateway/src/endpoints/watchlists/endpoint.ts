import { emptyReply, jsonReply } from '../../http/reply/reply.ts';
import { runIdempotently, unchargedReply } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { groupPageQuery } from '../store-groups/contract.ts';
import { watchlists } from '../store-groups/store-group.ts';
import { storesEndpoints } from '../store-groups/stores-endpoints.ts';
import {
  exampleWatchlist,
  reads,
  shared,
  watchlist,
  watchlistCreate,
  watchlistPage,
  watchlistParams,
  watchlistUpdate,
  writes,
} from './contract.ts';
import { change, create, pageOfWatchlists, read, remove } from './watchlists.ts';

const path = '/v1/watchlists';
const ofOne = { path: `${path}/{watchlist_id}`, params: watchlistParams, errors: ['not_found_watchlist'] } as const;
const headers = ['Cache-Control'] as const;
const success = {
  status: 200,
  description: 'The watchlist.',
  schema: watchlist,
  example: exampleWatchlist,
  headers,
} as const;

export const createWatchlist = defineEndpoint({
  ...writes,
  id: 'createWatchlist',
  method: 'POST',
  path,
  summary: 'Create a watchlist',
  description:
    'The workspace receives the confirmed signals of the stores in the watchlist. The plan bounds the watchlists of a workspace (watchlists). A request ' +
    'beyond the quota answers 400 and changes nothing. An unknown technology answers 400, and the message names it.',
  body: watchlistCreate,
  idempotent: true,
  success: {
    ...success,
    status: 201,
    example: {
      ...exampleWatchlist,
      rescan_interval_days: null,
      budget: { refresh_requested: null },
      store_count: 0,
      next_rescan_at: null,
      forecast: { ...exampleWatchlist.forecast, refresh_requested: 0 },
    },
    requestExample: { name: 'Competitors', technologies: ['klaviyo'] },
  },
  handle: (request, deps) =>
    runIdempotently(deps, request, request.json, async ({ chargeId }) =>
      unchargedReply(201, await create(deps, request, request.body, chargeId)),
    ),
});

export const listWatchlists = defineEndpoint({
  ...reads,
  id: 'listWatchlists',
  method: 'GET',
  path,
  summary: 'Every watchlist of the workspace, newest first',
  query: groupPageQuery,
  success: {
    status: 200,
    description: 'A page of watchlists.',
    schema: watchlistPage,
    example: { data: [exampleWatchlist], next_cursor: null },
    headers,
  },
  handle: async (request, deps) => jsonReply(200, await pageOfWatchlists(deps, request, request.query)),
});

export const getWatchlist = defineEndpoint({
  ...reads,
  ...ofOne,
  id: 'getWatchlist',
  method: 'GET',
  summary: 'One watchlist',
  success,
  handle: async (request, deps) => jsonReply(200, await read(deps, request, request.params.watchlist_id)),
});

export const updateWatchlist = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'updateWatchlist',
  method: 'PATCH',
  summary: 'Change, pause or resume a watchlist',
  description:
    'Replaces the members that the request has. A list in the request replaces the whole earlier list. Setting rescan_interval_days, even to the same value, also resumes ' +
    'rescans that pause with key_revoked or allowance_exhausted: from now on they bill the key of this request. They pause again if the ' +
    'allowance is still spent. A larger budget resumes rescans that pause with budget_exhausted.',
  body: watchlistUpdate,
  success: {
    ...success,
    example: {
      ...exampleWatchlist,
      state: 'paused',
      next_rescan_at: null,
      forecast: { refresh_requested: 0, left: 408 },
    },
    requestExample: { state: 'paused' },
  },
  handle: async (request, deps) =>
    jsonReply(200, await change(deps, request, request.params.watchlist_id, request.body)),
});

export const deleteWatchlist = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'deleteWatchlist',
  method: 'DELETE',
  summary: 'Delete a watchlist',
  description:
    'The watchlist and its stores are gone for every later request, and no longer count to the quotas. Rescans that have not started are ' +
    'withdrawn, and their units return.',
  success: { status: 204, description: 'Deleted.', headers },
  async handle(request, deps) {
    await remove(deps, request, request.params.watchlist_id);
    return emptyReply();
  },
});

export const [addWatchlistStores, listWatchlistStores, removeWatchlistStores, removeWatchlistStore] = storesEndpoints({
  ...shared,
  kind: watchlists,
  idPrefix: 'wl',
  quota: 'watched_stores',
});
