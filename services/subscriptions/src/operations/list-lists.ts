import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { parseId, type StoreGroup } from '../domain/store-group.ts';
import type { Dependencies } from './dependencies.ts';
import { pageOf } from './page.ts';

/** Returns a page of lists, the newest first. Lists that are created or deleted meanwhile neither hide nor repeat another one. */
export async function listLists<E extends Environment>(
  deps: Pick<Dependencies<E>, 'lists'>,
  tenant: Tenant<E>,
  { afterId, limit }: { afterId: string; limit: number },
  { deadline }: CallContext,
): Promise<{ rows: StoreGroup[]; hasMore: boolean }> {
  if (afterId) parseId('after_id', afterId, 'lst');
  return pageOf(limit, (readLimit) => deps.lists.list(tenant, afterId, readLimit, deadline.timeoutMs()));
}
