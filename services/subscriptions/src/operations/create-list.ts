import { dayMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isIdentifier, newId } from '@shopscope/ids';
import { quotaExceeded } from '../domain/quota.ts';
import { parseName, type StoreGroup } from '../domain/store-group.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';

export interface CreateList {
  name: string;
  /** The lists that the plan allows. */
  quota: number;
  /** Empty: each call creates a list. */
  requestToken: string;
}

/** The time in which calls with the same token create one list. Gateways store the responses of an Idempotency-Key for this time. */
const requestTokenLifeMs = dayMs;

/**
 * Creates an empty list. Calls with the same token return the list of the first one.
 *
 * Concurrency: each creation changes the document of the quotas, so that one of two transactions runs again and finds the list of the other.
 */
export async function createList<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { requestToken, quota, ...input }: CreateList,
  context: CallContext,
): Promise<StoreGroup> {
  const name = parseName(input.name);
  if (requestToken && !isIdentifier(requestToken)) throw invalidField('request_token', 'must be an identifier');
  const { workspaceId } = tenant;
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const since = new Date(now.getTime() - requestTokenLifeMs);
    const earlier = requestToken ? await deps.lists.findCreated(tenant, requestToken, since, tx) : null;
    if (earlier) return earlier;
    const exceeded = await deps.quotas.take(tenant, 'lists', 1, quota, tx);
    if (exceeded) throw quotaExceeded('lists', { quota, used: exceeded.used, more: 1 });
    const list = { id: newId('lst', now.getTime()), workspaceId, name, storeCount: 0, createdAt: now, updatedAt: now };
    await deps.lists.insert(list, requestToken, tenant, tx);
    return list;
  });
}
