import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import { changedRescans, type RescansChange } from '../domain/rescans.ts';
import { parseName, type StoreGroup } from '../domain/store-group.ts';
import {
  isUnchanged,
  parseSignalTypes,
  parseTechnologies,
  type Watchlist,
  type WatchlistState,
} from '../domain/watchlist.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuch, refOf } from './find-group.ts';
import { listsOf, watchlistsOf } from './group-kinds.ts';
import { withdrawStarted } from './rescans/reschedule-rescans.ts';
import { saveWatchlist } from './save-watchlist.ts';

/** The members of a watchlist that a call changes. The others are undefined. */
export interface WatchlistChange {
  name?: string | undefined;
  signalTypes?: readonly string[] | undefined;
  technologies?: readonly string[] | undefined;
  state?: WatchlistState | undefined;
  rescans: RescansChange;
}

/** A call that changes nothing writes nothing. */
export async function updateList<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { listId, name }: { listId: string; name?: string | undefined },
  context: CallContext,
): Promise<StoreGroup> {
  const kind = listsOf(deps);
  const ref = refOf(kind, tenant, listId);
  const newName = name === undefined ? undefined : parseName(name);
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const before = await kind.groups.find(ref, tx);
    if (!before) throw noSuch(kind);
    if (newName === undefined || newName === before.name) return before;
    const changed = await kind.groups.update(ref, { name: newName }, now, tx);
    if (!changed) throw noSuch(kind);
    return changed;
  });
}

/**
 * The events of a changed state, and of rescans that pause or continue, are appended in the same transaction. A call that changes nothing
 * writes nothing.
 */
export async function updateWatchlist<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { watchlistId, name, signalTypes, technologies, state, rescans }: WatchlistChange & { watchlistId: string },
  context: CallContext,
): Promise<Watchlist> {
  if (signalTypes?.length === 0) throw invalidField('signal_types', 'must have at least 1 entry');
  const kind = watchlistsOf(deps);
  const ref = refOf(kind, tenant, watchlistId);
  const members = {
    ...(name !== undefined && { name: parseName(name) }),
    ...(signalTypes && { signalTypes: parseSignalTypes(signalTypes) }),
    ...(technologies && { technologies: parseTechnologies(technologies) }),
    ...(state && { state }),
  };
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const before = await kind.groups.find(ref, tx);
    if (!before) throw noSuch(kind);
    const after = { ...before, ...members, rescans: changedRescans(before, state ?? before.state, rescans, now) };
    if (isUnchanged(before, after)) return before;
    await withdrawStarted(deps, after, now, tx);
    return saveWatchlist(deps, tx, { before, after, now, origin: context.origin, isEdited: true });
  });
}
