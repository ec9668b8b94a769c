import { dayMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isIdentifier, newId } from '@shopscope/ids';
import { changeWorkspace, quotaExceeded } from '@shopscope/workspace-deletion';
import { publicQuotaNames } from '../domain/quota.ts';
import { changedRescans, newRescans, type RescansChange } from '../domain/rescans.ts';
import { parseName, type StoreGroup } from '../domain/store-group.ts';
import { parseSignalTypes, parseTechnologies, type Watchlist } from '../domain/watchlist.ts';
import type { Dependencies } from './dependencies.ts';
import { type GroupKind, listsOf, watchlistsOf } from './group-kinds.ts';

interface Creation {
  /** The groups of this kind that the plan allows. */
  quota: number;
  /** If empty, each call creates a group. */
  requestToken: string;
}

/** The time in which calls with the same token create one group. Gateways store the responses of an Idempotency-Key for this time. */
const requestTokenLifeMs = dayMs;

export const createList = <E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  input: Creation & { name: string },
  context: CallContext,
): Promise<StoreGroup> => {
  const name = parseName(input.name);
  return createGroup(deps, listsOf(deps), { tenant, context, ...input }, (group) => ({ ...group, name }));
};

interface WatchlistCreation {
  name: string;
  signalTypes: readonly string[];
  technologies: readonly string[];
  rescans: RescansChange;
}

/** Without signal types, the watchlist receives all types. */
export const createWatchlist = <E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  input: Creation & WatchlistCreation,
  context: CallContext,
): Promise<Watchlist> => {
  const name = parseName(input.name);
  const signalTypes = parseSignalTypes(input.signalTypes);
  const technologies = parseTechnologies(input.technologies);
  const members = { name, signalTypes, technologies, state: 'active' } as const;
  return createGroup(deps, watchlistsOf(deps), { tenant, context, ...input }, (group) => {
    const watchlist = { ...group, ...members, rescans: newRescans(group.createdAt) };
    return { ...watchlist, rescans: changedRescans(watchlist, 'active', input.rescans, group.createdAt) };
  });
};

/**
 * Creates an empty group. Calls with the same token return the group of the first one.
 *
 * Concurrency: each creation changes the document of the quotas, so that one of two transactions runs again and finds the group of the other.
 */
async function createGroup<E extends Environment, Group extends StoreGroup>(
  deps: Dependencies<E>,
  kind: GroupKind<E, Group>,
  { tenant, context, quota, requestToken }: Creation & { tenant: Tenant<E>; context: CallContext },
  made: (group: Omit<StoreGroup, 'name'>) => Group,
): Promise<Group> {
  if (requestToken && !isIdentifier(requestToken)) throw invalidField('request_token', 'must be an identifier');
  const { workspaceId } = tenant;
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const since = new Date(now.getTime() - requestTokenLifeMs);
    const earlier = requestToken ? await kind.groups.findCreated(tenant, requestToken, since, tx) : null;
    if (earlier) return earlier;
    const exceeded = await deps.quotas.take(tenant, kind.quotas.groups, 1, quota, tx);
    if (exceeded) throw quotaExceeded(publicQuotaNames[kind.quotas.groups], { quota, used: exceeded.used, more: 1 });
    const id = newId(kind.idPrefix, now.getTime());
    const group = made({ id, workspaceId, storeCount: 0, createdAt: now, updatedAt: now });
    await kind.groups.insert(group, requestToken, tenant, tx);
    await kind.follow.created(group, tx);
    return group;
  });
}
