import type { Environment, Handles } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import type { QuotaName } from '../domain/quota.ts';
import type { GroupRef, StoreGroup } from '../domain/store-group.ts';
import type { Watchlist } from '../domain/watchlist.ts';
import type { GroupStore } from '../outbound/mongo/groups.ts';
import type { MemberStore } from '../outbound/mongo/member-stores.ts';
import type { Stores } from '../outbound/mongo/stores.ts';
import { rescheduleRescans, withdrawRescans } from './rescans/reschedule-rescans.ts';
import type { SaveDependencies } from './save-watchlist.ts';

/** Lists or watchlists: their collections, quotas and words. The operations are the same for both. */
export interface GroupKind<E extends Environment, Group extends StoreGroup> extends Handles<E> {
  noun: 'list' | 'watchlist';
  idPrefix: 'lst' | 'wl';
  groups: GroupStore<E, Group>;
  members: MemberStore<E>;
  /** The quota of the groups, and the quota of the stores of all groups together. */
  quotas: { groups: QuotaName; stores: QuotaName };
  /** What else a transaction changes. */
  follow: Followers<E, Group>;
}

interface Resize {
  added: number;
  removed: readonly string[];
  now: Date;
  origin: Origin;
}

interface Followers<E extends Environment, Group extends StoreGroup> {
  created(group: Group, tx: Tx): Promise<void>;
  /** `group` is the group after it got `added` stores, or lost the stores of `removed`. Returns the group as it is saved. */
  resized(group: Group, change: Resize, tx: Tx): Promise<Group>;
  deleted(ref: GroupRef<E>, now: Date, tx: Tx): Promise<void>;
}

export const listsOf = <E extends Environment>({ lists, listStores }: Stores<E>): GroupKind<E, StoreGroup> => ({
  environment: lists.environment,
  noun: 'list',
  idPrefix: 'lst',
  groups: lists,
  members: listStores,
  quotas: { groups: 'lists', stores: 'listStores' },
  follow: { created: async () => {}, resized: async (list) => list, deleted: async () => {} },
});

export const watchlistsOf = <E extends Environment>(
  stores: Stores<E> & SaveDependencies<E>,
): GroupKind<E, Watchlist> => ({
  environment: stores.watchlists.environment,
  noun: 'watchlist',
  idPrefix: 'wl',
  groups: stores.watchlists,
  members: stores.watchedStores,
  quotas: { groups: 'watchlists', stores: 'watchedStores' },
  follow: {
    async created({ workspaceId, rescans, createdAt }, tx) {
      const tenant = { workspaceId, environment: stores.watchlists.environment };
      if (rescans.wakeAt) await stores.rescanQueue.wake(tenant, rescans.wakeAt, createdAt, tx);
    },
    async resized(watchlist, { added, removed, now, origin }, tx) {
      const { id, workspaceId, storeCount } = watchlist;
      const ref = { environment: stores.watchlists.environment, workspaceId, id };
      if (removed.length > 0) await withdrawRescans(stores, ref, removed, now, tx);
      return rescheduleRescans(stores, watchlist, storeCount - added + removed.length, { now, origin }, tx);
    },
    deleted: (ref, now, tx) => withdrawRescans(stores, ref, undefined, now, tx),
  },
});
