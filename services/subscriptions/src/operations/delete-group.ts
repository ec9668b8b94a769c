import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import type { StoreGroup } from '../domain/store-group.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuch, refOf } from './find-group.ts';
import { type GroupKind, listsOf } from './group-kinds.ts';
import { cancelJobs } from './jobs/cancel-job.ts';

/** Deletes a list. Its jobs are canceled, and keep their results. */
export async function deleteList<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  id: string,
  context: CallContext,
): Promise<void> {
  await deleteGroup(deps, listsOf(deps), tenant, id, context);
  await cancelJobs(deps, tenant, id);
}

/** Hides the group and gives its quota back. {@link deleteHiddenStores} deletes its stores. */
export async function deleteGroup<E extends Environment, Group extends StoreGroup>(
  deps: Dependencies<E>,
  kind: GroupKind<E, Group>,
  tenant: Tenant<E>,
  id: string,
  context: CallContext,
): Promise<void> {
  const ref = refOf(kind, tenant, id);
  await changeWorkspace(deps, tenant, context, async (tx, now) => {
    const hidden = await kind.groups.hide(ref, now, tx);
    if (!hidden) throw noSuch(kind);
    await kind.follow.deleted(ref, now, tx);
    await deps.quotas.release(tenant, { [kind.quotas.groups]: 1, [kind.quotas.stores]: hidden.storeCount }, tx);
  });
}
