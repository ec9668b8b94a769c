import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { StoreGroup } from '../domain/store-group.ts';
import { findGroup, refOf } from './find-group.ts';
import type { GroupKind } from './group-kinds.ts';

/** The maximum number of domains of one call. */
const maxDomains = 5_000;

/** Returns the domains of a group after `afterDomain`, which is absent for the first ones. */
export async function listDomains<E extends Environment, Group extends StoreGroup>(
  kind: GroupKind<E, Group>,
  tenant: Tenant<E>,
  { id, limit, afterDomain = '' }: { id: string; limit: number; afterDomain?: string | undefined },
  context: CallContext,
): Promise<{ domains: string[]; hasMore: boolean }> {
  if (!(limit >= 1 && limit <= maxDomains)) throw invalidField('limit', `must be from 1 to ${maxDomains}`);
  await findGroup(kind, tenant, id, context);
  const found = await kind.members.listDomains(
    refOf(kind, tenant, id),
    afterDomain,
    limit + 1,
    context.deadline.timeoutMs(),
  );
  return { domains: found.slice(0, limit), hasMore: found.length > limit };
}

/** Returns those of the domains that the group has. */
export async function filterDomains<E extends Environment, Group extends StoreGroup>(
  kind: GroupKind<E, Group>,
  tenant: Tenant<E>,
  { id, domains }: { id: string; domains: readonly string[] },
  context: CallContext,
): Promise<string[]> {
  if (domains.length > maxDomains) throw invalidField('domains', `must have at most ${maxDomains} entries`);
  await findGroup(kind, tenant, id, context);
  return kind.members.filterDomains(refOf(kind, tenant, id), domains, context.deadline.timeoutMs());
}
