import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { quotaExceeded } from '../domain/quota.ts';
import { parseName, type StoreGroup } from '../domain/store-group.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';

/** Creates an empty list. `quota`: the lists that the plan allows. */
export async function createList<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  input: { name: string; quota: number },
  context: CallContext,
): Promise<StoreGroup> {
  const name = parseName(input.name);
  const { workspaceId } = tenant;
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const exceeded = await deps.quotas.take(tenant, 'lists', 1, input.quota, tx);
    if (exceeded) throw quotaExceeded('lists', { quota: input.quota, used: exceeded.used, more: 1 });
    const list = { id: newId('lst', now.getTime()), workspaceId, name, storeCount: 0, createdAt: now, updatedAt: now };
    await deps.lists.insert(list, tenant, tx);
    return list;
  });
}
