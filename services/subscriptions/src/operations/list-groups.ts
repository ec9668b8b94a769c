import type { Environment, Tenant } from '@shopscope/environment';
import { type CallContext, pageOf } from '@shopscope/grpc';
import { parseId } from '@shopscope/text';
import type { StoreGroup } from '../domain/store-group.ts';
import type { GroupKind } from './group-kinds.ts';

/** Returns a page of groups, the newest first. Groups that are created or deleted meanwhile neither hide nor repeat another one. */
export async function listGroups<E extends Environment, Group extends StoreGroup>(
  kind: GroupKind<E, Group>,
  tenant: Tenant<E>,
  { afterId, limit }: { afterId: string; limit: number },
  { deadline }: CallContext,
): Promise<{ rows: Group[]; hasMore: boolean }> {
  if (afterId) parseId('after_id', afterId, kind.idPrefix);
  return pageOf(limit, (readLimit) => kind.groups.list(tenant, afterId, readLimit, deadline.timeoutMs()));
}
