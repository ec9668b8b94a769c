import { signalTypes } from '@shopscope/proto';
import { z } from 'zod';
import type { Billing, Operation } from '../../contract/operation.ts';
import { count, domain, idWith, inResponse, named, openEnum, pageOf, slug, timestamp } from '../../contract/schemas.ts';
import {
  exampleStores,
  exampleTime,
  exampleTimes,
  groupName,
  groupPageQuery,
  groupTimes,
  memberStorePage,
  storesAdd,
  storesAdded,
  storesRemove,
  storesRemoved,
} from '../lists/contract.ts';
import { deleted, idParams, pageSuccess } from './shared.ts';

/** Operations of watchlists. Their stores are rescanned, and the workspace receives their signals. */
const billing: Billing = { units: [], when: 'free; each scheduled rescan spends one refresh_requested' };

const allSignalTypes = [...signalTypes];
const fields = {
  signal_types: z.array(z.enum(signalTypes)).min(1).describe('The signals that the workspace receives'),
  technologies: z.array(slug()).max(100).describe('Only signals of these technologies; empty: of all'),
  rescan_interval_days: z
    .int()
    .min(1)
    .nullable()
    .describe('At least plan.limits.freshness_days; null: no rescans. A number needs the scope write:scans'),
  budget: z.strictObject({ refresh_requested: count().nullable().describe('null: no bound') }),
};
const changes = { name: groupName(), ...fields };

const watchlist = named(
  'Watchlist',
  z.object({
    id: idWith('wl'),
    ...inResponse(changes),
    state: openEnum(['active', 'paused'], {
      meanings: { active: 'the workspace receives the signals of its stores', paused: 'neither rescans nor signals' },
    }),
    rescans_paused: openEnum(['budget_exhausted', 'allowance_exhausted', 'key_revoked'], {
      more: 'Why rescans pause; null while they run.',
      meanings: {
        budget_exhausted: 'its budget of the period is spent',
        allowance_exhausted: 'the allowance of the workspace is spent',
        key_revoked: 'the key that set the interval has ended or lost its scope',
      },
    }).nullable(),
    store_count: count().describe('Its stores'),
    next_rescan_at: timestamp().nullable(),
    forecast: z.object({ refresh_requested: count().describe('Still to come in this period') }),
    ...groupTimes,
  }),
);

const create = named('WatchlistCreate', z.strictObject(changes).partial().required({ name: true }));
const update = named('WatchlistUpdate', z.strictObject({ ...changes, state: z.enum(['active', 'paused']) }).partial());

const example = {
  id: 'wl_01kandxv3w9p4nsbq7g8e2hm5t',
  name: 'Competitors',
  signal_types: allSignalTypes,
  technologies: ['klaviyo'],
  rescan_interval_days: 7,
  budget: { refresh_requested: 500 },
  state: 'active',
  rescans_paused: null,
  store_count: 40,
  next_rescan_at: exampleTime,
  forecast: { refresh_requested: 92 },
  ...exampleTimes,
};

const shared = { tag: 'Watchlists', access: 'key', billing, served: false } as const;
const writes = { ...shared, scope: 'write:watchlists' } as const;
const reads = { ...shared, scope: 'read:watchlists' } as const;
const root = '/v1/watchlists';
const params = idParams('watchlist_id', 'wl');
const ofOne = { path: `${root}/{watchlist_id}`, params, errors: ['not_found_watchlist'] } as const;
const ofStores = { ...ofOne, path: `${ofOne.path}/stores` } as const;
const success = { status: 200, description: 'The watchlist.', schema: watchlist, example } as const;
const results = { status: 200, description: 'What happened with each input.' } as const;

export const announcedWatchlistOperations = [
  {
    ...writes,
    id: 'createWatchlist',
    method: 'POST',
    path: root,
    summary: 'Create a watchlist',
    body: create,
    idempotent: true,
    success: { ...success, status: 201, requestExample: { name: 'Competitors', technologies: ['klaviyo'] } },
  },
  {
    ...reads,
    id: 'listWatchlists',
    method: 'GET',
    path: root,
    summary: 'Every watchlist of the workspace, newest first',
    query: groupPageQuery,
    success: pageSuccess(pageOf('WatchlistPage', watchlist), example),
  },
  { ...reads, ...ofOne, id: 'getWatchlist', method: 'GET', summary: 'One watchlist', success },
  {
    ...writes,
    ...ofOne,
    id: 'updateWatchlist',
    method: 'PATCH',
    summary: 'Change, pause or resume a watchlist',
    body: update,
    success: { ...success, requestExample: { state: 'paused' } },
  },
  {
    ...writes,
    ...ofOne,
    id: 'deleteWatchlist',
    method: 'DELETE',
    summary: 'Delete a watchlist',
    success: deleted,
  },
  {
    ...writes,
    ...ofStores,
    id: 'addWatchlistStores',
    method: 'POST',
    summary: 'Add stores to a watchlist',
    body: storesAdd,
    idempotent: true,
    success: { ...results, schema: storesAdded, example: exampleStores.added, requestExample: exampleStores.request },
  },
  {
    ...reads,
    ...ofStores,
    id: 'listWatchlistStores',
    method: 'GET',
    summary: 'Stores of a watchlist, by domain',
    query: groupPageQuery,
    success: { status: 200, description: 'A page of stores.', schema: memberStorePage, example: exampleStores.page },
  },
  {
    ...writes,
    ...ofStores,
    id: 'removeWatchlistStores',
    method: 'POST',
    path: `${ofStores.path}/remove`,
    summary: 'Remove stores from a watchlist',
    body: storesRemove,
    idempotent: true,
    success: {
      ...results,
      schema: storesRemoved,
      example: exampleStores.removed,
      requestExample: exampleStores.removeRequest,
    },
  },
  {
    ...writes,
    ...ofOne,
    id: 'removeWatchlistStore',
    method: 'DELETE',
    path: `${ofStores.path}/{domain}`,
    summary: 'Remove one store from a watchlist',
    params: params.extend({ domain: domain() }),
    success: { status: 204, description: 'Removed.' },
  },
] as const satisfies readonly Operation[];
