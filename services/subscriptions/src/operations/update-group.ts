import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { parseName, type StoreGroup } from '../domain/store-group.ts';
import { parseSignalTypes, parseTechnologies, type Watchlist, type WatchlistState } from '../domain/watchlist.ts';
import type { GroupChange } from '../outbound/mongo/groups.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuch, refOf } from './find-group.ts';
import { type GroupKind, listsOf, watchlistsOf } from './group-kinds.ts';

/** The members of a watchlist that a call changes. The others are undefined. */
export interface WatchlistChange {
  name?: string | undefined;
  signalTypes?: readonly string[] | undefined;
  technologies?: readonly string[] | undefined;
  state?: WatchlistState | undefined;
}

export const updateList = <E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { listId, name }: { listId: string; name?: string | undefined },
  context: CallContext,
): Promise<StoreGroup> =>
  updateGroup(
    deps,
    listsOf(deps),
    { tenant, context, id: listId },
    name === undefined ? {} : { name: parseName(name) },
  );

export function updateWatchlist<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { watchlistId, name, signalTypes, technologies, state }: WatchlistChange & { watchlistId: string },
  context: CallContext,
): Promise<Watchlist> {
  if (signalTypes?.length === 0) throw invalidField('signal_types', 'must have at least 1 entry');
  return updateGroup(
    deps,
    watchlistsOf(deps),
    { tenant, context, id: watchlistId },
    {
      ...(name !== undefined && { name: parseName(name) }),
      ...(signalTypes && { signalTypes: parseSignalTypes(signalTypes) }),
      ...(technologies && { technologies: parseTechnologies(technologies) }),
      ...(state && { state }),
    },
  );
}

async function updateGroup<E extends Environment, Group extends StoreGroup>(
  deps: Dependencies<E>,
  kind: GroupKind<E, Group>,
  { tenant, context, id }: { tenant: Tenant<E>; context: CallContext; id: string },
  members: GroupChange<Group>,
): Promise<Group> {
  const ref = refOf(kind, tenant, id);
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const changed = await kind.groups.update(ref, members, now, tx);
    if (!changed) throw noSuch(kind);
    return changed;
  });
}
