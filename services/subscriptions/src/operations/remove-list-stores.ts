import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { domainOf, resultsOf, type StoreResult } from '../domain/member.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { listRef, noSuchList } from './find-list.ts';
import { requireStoreCount } from './require-store-count.ts';

/** Removes those of the stores that the list has. A repeated call changes nothing. */
export async function removeListStores<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { listId, domains: inputs }: { listId: string; domains: readonly string[] },
  context: CallContext,
): Promise<StoreResult[]> {
  const ref = listRef(tenant, listId);
  requireStoreCount('domains', inputs);
  const domains = inputs.map(domainOf);
  const distinct = [...new Set(domains.filter((domain) => domain !== undefined))];
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const present = (await deps.listMembers.findAll(ref, distinct, tx)).map(({ domain }) => domain);
    const removes = present.length > 0;
    const list = removes
      ? await deps.lists.addToStoreCount(ref, -present.length, now, tx)
      : await deps.lists.find(ref, tx);
    if (!list) throw noSuchList();
    if (removes) await deps.quotas.release(tenant, { listStores: present.length }, tx);
    await deps.listMembers.remove(ref, present, tx);
    return resultsOf(domains, new Set(present), { first: 'removed', again: 'absent' });
  });
}
