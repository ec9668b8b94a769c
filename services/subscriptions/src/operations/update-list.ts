import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { parseName, type StoreGroup } from '../domain/store-group.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { listRef, noSuchList } from './find-list.ts';

/** Changes the members that are given. */
export async function updateList<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { listId, name }: { listId: string; name: string | undefined },
  context: CallContext,
): Promise<StoreGroup> {
  const ref = listRef(tenant, listId);
  const members = name === undefined ? {} : { name: parseName(name) };
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const changed = await deps.lists.update(ref, members, now, tx);
    if (!changed) throw noSuchList();
    return changed;
  });
}
