import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import { domainOf, resultsOf, type StoreResult } from '../domain/member.ts';
import type { StoreGroup } from '../domain/store-group.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuch, refOf } from './find-group.ts';
import type { GroupKind } from './group-kinds.ts';
import { requireStoreCount } from './require-store-count.ts';

/** Removes those of the stores that the group has. A repeated call changes nothing. */
export async function removeStores<E extends Environment, Group extends StoreGroup>(
  deps: Dependencies<E>,
  kind: GroupKind<E, Group>,
  tenant: Tenant<E>,
  { id, domains: inputs }: { id: string; domains: readonly string[] },
  context: CallContext,
): Promise<StoreResult[]> {
  const ref = refOf(kind, tenant, id);
  requireStoreCount('domains', inputs);
  const domains = inputs.map(domainOf);
  const distinct = [...new Set(domains.filter((domain) => domain !== undefined))];
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const present = (await kind.members.findAll(ref, distinct, tx)).map(({ domain }) => domain);
    const removes = present.length > 0;
    const group = removes
      ? await kind.groups.addToStoreCount(ref, -present.length, now, tx)
      : await kind.groups.find(ref, tx);
    if (!group) throw noSuch(kind);
    if (removes) await deps.quotas.release(tenant, { [kind.quotas.stores]: present.length }, tx);
    await kind.members.remove(ref, present, tx);
    await kind.follow.resized(group, { added: 0, removed: present, now, origin: context.origin }, tx);
    return resultsOf(domains, new Set(present), { first: 'removed', again: 'absent' });
  });
}
