import type { Environment, Tenant } from '@shopscope/environment';
import type { StoreGroup } from '../domain/store-group.ts';
import type { Stores } from '../outbound/mongo/stores.ts';
import { type GroupKind, listsOf, watchlistsOf } from './group-kinds.ts';

/** How the data of a workspace is deleted: at most `limit` documents by one call. */
export type DeleteSome<E extends Environment> = (
  tenant: Tenant<E>,
  limit: number,
  now: Date,
  maxTimeMS: number,
) => Promise<{ deleted: number; isEmpty: boolean }>;

/**
 * Everything that a workspace has, in the order of its deletion. Each part begins when the one before is empty: what still changes other data
 * comes first, so jobs end before their lists are deleted. The outbox is no part, because its relay publishes and deletes every row.
 */
export const workspaceDataOf = <E extends Environment>(stores: Stores<E>): readonly DeleteSome<E>[] => [
  // The timer deletes the stores of hidden groups, and then the groups.
  hideGroups(listsOf(stores)),
  hideGroups(watchlistsOf(stores)),
  (tenant, limit, _, maxTimeMS) => stores.events.deleteSome(tenant, limit, maxTimeMS),
  (tenant, _, __, maxTimeMS) => stores.quotas.delete(tenant, maxTimeMS),
  (tenant, _, __, maxTimeMS) => stores.sequences.delete(tenant, maxTimeMS),
];

const hideGroups =
  <E extends Environment, Group extends StoreGroup>({ groups }: GroupKind<E, Group>): DeleteSome<E> =>
  async (tenant, _, now, maxTimeMS) => {
    await groups.hideAll(tenant, now, maxTimeMS);
    return { deleted: 0, isEmpty: await groups.isEmpty(tenant, maxTimeMS) };
  };
