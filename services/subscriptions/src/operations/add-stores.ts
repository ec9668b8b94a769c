import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace, quotaExceeded } from '@shopscope/workspace-deletion';
import { domainOf, type NewMember, parseExternalId, resultsOf, type StoreResult } from '../domain/member.ts';
import { publicQuotaNames } from '../domain/quota.ts';
import type { StoreGroup } from '../domain/store-group.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuch, refOf } from './find-group.ts';
import type { GroupKind } from './group-kinds.ts';
import { requireStoreCount } from './require-store-count.ts';

interface AddStores {
  id: string;
  /** `externalId`: undefined keeps the stored one, an empty text removes it. */
  stores: readonly { domain: string; externalId?: string | undefined }[];
  /** The stores that the plan allows in all groups of this kind of the workspace together. */
  quota: number;
}

/**
 * Adds stores to a group: all, or none beyond the quota. A store that the group has takes the external id of the request, if there is one.
 * Of several inputs of one domain, the last one with an external id decides. A repeated call changes nothing.
 *
 * Concurrency: each call changes the documents of the group and of the quotas, so that of two concurrent transactions one runs again.
 */
export async function addStores<E extends Environment, Group extends StoreGroup>(
  deps: Dependencies<E>,
  kind: GroupKind<E, Group>,
  tenant: Tenant<E>,
  { id, stores, quota }: AddStores,
  context: CallContext,
): Promise<StoreResult[]> {
  const ref = refOf(kind, tenant, id);
  requireStoreCount('stores', stores);
  const domains = stores.map(({ domain }) => domainOf(domain));
  const given = newMembers(stores, domains);
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const found = await kind.members.findAll(ref, [...given.keys()], tx);
    const present = new Map(found.map((member) => [member.domain, member]));
    const added = [...given.values()].filter(({ domain }) => !present.has(domain));
    const changed = [...given.values()].flatMap(({ domain, externalId }) => {
      const member = present.get(domain);
      return member && externalId !== undefined && externalId !== member.externalId ? [{ domain, externalId }] : [];
    });
    const hasChanges = added.length + changed.length > 0;
    const group = hasChanges
      ? await kind.groups.addToStoreCount(ref, added.length, now, tx)
      : await kind.groups.find(ref, tx);
    if (!group) throw noSuch(kind);
    if (added.length > 0) {
      const exceeded = await deps.quotas.take(tenant, kind.quotas.stores, added.length, quota, tx);
      if (exceeded)
        throw quotaExceeded(publicQuotaNames[kind.quotas.stores], { quota, used: exceeded.used, more: added.length });
    }
    const members = added.map(({ domain, externalId = null }) => ({ domain, externalId, addedAt: now }));
    await kind.members.insert(ref, members, tx);
    await kind.members.setExternalIds(ref, changed, tx);
    await kind.follow.resized(group, { added: added.length, removed: [], now, origin: context.origin }, tx);
    return resultsOf(domains, new Set(added.map(({ domain }) => domain)), { first: 'added', again: 'present' });
  });
}

/** Returns one entry per domain, in the order of their first inputs. Throws for an invalid external id. */
function newMembers(
  stores: AddStores['stores'],
  domains: readonly (string | undefined)[],
): ReadonlyMap<string, NewMember> {
  const byDomain = new Map<string, NewMember>();
  for (const [index, { externalId: sent }] of stores.entries()) {
    const externalId = sent && parseExternalId(`stores[${index}].external_id`, sent);
    const domain = domains[index];
    if (domain === undefined) continue;
    const earlier = byDomain.get(domain)?.externalId;
    byDomain.set(domain, { domain, externalId: externalId === undefined ? earlier : externalId || null });
  }
  return byDomain;
}
