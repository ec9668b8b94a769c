import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import { type CallContext, pageOf } from '@shopscope/grpc';
import { domainOf, type Member } from '../domain/member.ts';
import type { StoreGroup } from '../domain/store-group.ts';
import { findGroup, refOf } from './find-group.ts';
import type { GroupKind } from './group-kinds.ts';

/** Returns a page of the stores of a group, by domain. Changes meanwhile neither hide nor repeat another store. */
export async function listStores<E extends Environment, Group extends StoreGroup>(
  kind: GroupKind<E, Group>,
  tenant: Tenant<E>,
  { id, afterDomain, limit }: { id: string; afterDomain: string; limit: number },
  context: CallContext,
): Promise<{ rows: Member[]; hasMore: boolean }> {
  if (afterDomain && domainOf(afterDomain) !== afterDomain) throw invalidField('after_domain', 'must be a domain');
  await findGroup(kind, tenant, id, context);
  const ref = refOf(kind, tenant, id);
  return pageOf(limit, (readLimit) => kind.members.list(ref, afterDomain, readLimit, context.deadline.timeoutMs()));
}
