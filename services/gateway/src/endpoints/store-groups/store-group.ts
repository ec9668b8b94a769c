import type { MemberStore, StoreInput, StoreResult } from '@shopscope/proto';
import type { CallerPlan } from '../../keys/caller.ts';
import type { OfRequest } from '../../peers/for-caller.ts';
import type { SubscriptionsClient } from '../../peers/subscriptions-client.ts';

/** A group of the caller's workspace. */
interface GroupRef {
  workspaceId: string;
  id: string;
}

/** Calls one RPC of the client. Lists and watchlists have the same RPCs, under other names. */
type Call<Request, Response> = (
  client: SubscriptionsClient,
  request: GroupRef & Request,
  of: OfRequest,
) => Promise<Response>;

/** Lists or watchlists: their words, their quota of stores and their RPCs. */
export interface StoreGroupKind {
  noun: 'list' | 'watchlist';
  /** The first part of what the cursors of pages of stores are bound to. */
  cursorName: string;
  storeQuotaOf(quotas: CallerPlan['quotas']): number;
  add: Call<{ stores: StoreInput[]; quota: number }, { results: StoreResult[] }>;
  remove: Call<{ domains: string[] }, { results: StoreResult[] }>;
  removeOne: Call<{ domain: string }, unknown>;
  page: Call<{ afterDomain: string; limit: number }, { stores: MemberStore[]; hasMore: boolean }>;
}

export const lists: StoreGroupKind = {
  noun: 'list',
  cursorName: 'list stores',
  storeQuotaOf: ({ listStores }) => listStores,
  add: (client, { id: listId, ...request }, of) => client.addListStores({ listId, ...request }, of),
  remove: (client, { id: listId, ...request }, of) => client.removeListStores({ listId, ...request }, of),
  removeOne: (client, { id: listId, ...request }, of) => client.removeListStore({ listId, ...request }, of),
  page: (client, { id: listId, ...request }, of) => client.listListStores({ listId, ...request }, of),
};

export const watchlists: StoreGroupKind = {
  noun: 'watchlist',
  cursorName: 'watchlist stores',
  storeQuotaOf: ({ watchedStores }) => watchedStores,
  add: (client, { id: watchlistId, ...request }, of) => client.addWatchlistStores({ watchlistId, ...request }, of),
  remove: (client, { id: watchlistId, ...request }, of) =>
    client.removeWatchlistStores({ watchlistId, ...request }, of),
  removeOne: (client, { id: watchlistId, ...request }, of) =>
    client.removeWatchlistStore({ watchlistId, ...request }, of),
  page: (client, { id: watchlistId, ...request }, of) => client.listWatchlistStores({ watchlistId, ...request }, of),
};
