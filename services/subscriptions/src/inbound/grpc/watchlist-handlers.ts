import { inEnvironment } from '@shopscope/environment';
import { type Handlers, tenantOf } from '@shopscope/grpc';
import type { SubscriptionsServiceService } from '@shopscope/proto';
import type { Watchlist } from '../../domain/watchlist.ts';
import { addStores } from '../../operations/add-stores.ts';
import { createWatchlist } from '../../operations/create-group.ts';
import { deleteGroup } from '../../operations/delete-group.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { findGroup } from '../../operations/find-group.ts';
import { watchlistsOf } from '../../operations/group-kinds.ts';
import { listGroups } from '../../operations/list-groups.ts';
import { listStores } from '../../operations/list-stores.ts';
import { removeStore } from '../../operations/remove-store.ts';
import { removeStores } from '../../operations/remove-stores.ts';
import { updateWatchlist } from '../../operations/update-group.ts';
import { decodeRescans, decodeWatchlistChange, encodeMember, encodeResult, encodeWatchlist } from './encode.ts';

/** Every RPC of watchlists. Each decodes the request, calls one operation in the environment of the call, and encodes the result. */
export const watchlistHandlers = (every: EveryEnvironment) => {
  const encoded = (watchlist: Watchlist) => encodeWatchlist(watchlist, new Date(every.live.clock.now()));
  return {
    createWatchlist: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        watchlist: encoded(
          await createWatchlist(deps, tenant, { ...request, rescans: decodeRescans(request) }, context),
        ),
      })),
    getWatchlist: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        watchlist: encoded(await findGroup(watchlistsOf(deps), tenant, request.watchlistId, context)),
      })),
    listWatchlists: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        const { rows, hasMore } = await listGroups(watchlistsOf(deps), tenant, request, context);
        return { watchlists: rows.map(encoded), hasMore };
      }),
    updateWatchlist: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        watchlist: encoded(await updateWatchlist(deps, tenant, decodeWatchlistChange(request), context)),
      })),
    deleteWatchlist: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        await deleteGroup(deps, watchlistsOf(deps), tenant, request.watchlistId, context);
        return {};
      }),
    addWatchlistStores: ({ watchlistId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        const results = await addStores(deps, watchlistsOf(deps), tenant, { id, ...request }, context);
        return { results: results.map(encodeResult) };
      }),
    removeWatchlistStores: ({ watchlistId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        const results = await removeStores(deps, watchlistsOf(deps), tenant, { id, ...request }, context);
        return { results: results.map(encodeResult) };
      }),
    removeWatchlistStore: ({ watchlistId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        await removeStore(deps, watchlistsOf(deps), tenant, { id, ...request }, context);
        return {};
      }),
    listWatchlistStores: ({ watchlistId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        const { rows, hasMore } = await listStores(watchlistsOf(deps), tenant, { id, ...request }, context);
        return { stores: rows.map(encodeMember), hasMore };
      }),
  } satisfies Partial<Handlers<typeof SubscriptionsServiceService>>;
};
