import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { listRef, noSuchList } from './find-list.ts';

/** Hides the list and gives its quota back. {@link deleteHiddenStores} deletes its stores. */
export async function deleteList<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  listId: string,
  context: CallContext,
): Promise<void> {
  const ref = listRef(tenant, listId);
  await changeWorkspace(deps, tenant, context, async (tx, now) => {
    const hidden = await deps.lists.hide(ref, now, tx);
    if (!hidden) throw noSuchList();
    await deps.quotas.release(tenant, { lists: 1, listStores: hidden.storeCount }, tx);
  });
}
