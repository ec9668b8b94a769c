import type { Environment, Handles } from '@shopscope/environment';
import type { QuotaName } from '../domain/quota.ts';
import type { StoreGroup } from '../domain/store-group.ts';
import type { Watchlist } from '../domain/watchlist.ts';
import type { GroupStore } from '../outbound/mongo/groups.ts';
import type { MemberStore } from '../outbound/mongo/member-stores.ts';
import type { Stores } from '../outbound/mongo/stores.ts';

/** Lists or watchlists: their collections, quotas and words. The operations are the same for both. */
export interface GroupKind<E extends Environment, Group extends StoreGroup> extends Handles<E> {
  noun: 'list' | 'watchlist';
  idPrefix: 'lst' | 'wl';
  groups: GroupStore<E, Group>;
  members: MemberStore<E>;
  /** What the groups, and what the stores of all groups together count to. */
  quotas: { groups: QuotaName; stores: QuotaName };
}

export const listsOf = <E extends Environment>({ lists, listStores }: Stores<E>): GroupKind<E, StoreGroup> => ({
  environment: lists.environment,
  noun: 'list',
  idPrefix: 'lst',
  groups: lists,
  members: listStores,
  quotas: { groups: 'lists', stores: 'listStores' },
});

export const watchlistsOf = <E extends Environment>(stores: Stores<E>): GroupKind<E, Watchlist> => ({
  environment: stores.watchlists.environment,
  noun: 'watchlist',
  idPrefix: 'wl',
  groups: stores.watchlists,
  members: stores.watchedStores,
  quotas: { groups: 'watchlists', stores: 'watchedStores' },
});
