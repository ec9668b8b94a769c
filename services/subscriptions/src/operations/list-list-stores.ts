import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { domainOf, type Member } from '../domain/member.ts';
import type { Dependencies } from './dependencies.ts';
import { getList, listRef } from './find-list.ts';
import { pageOf } from './page.ts';

/** Returns a page of the stores of a list, by domain. Changes meanwhile neither hide nor repeat another store. */
export async function listListStores<E extends Environment>(
  deps: Pick<Dependencies<E>, 'lists' | 'listMembers'>,
  tenant: Tenant<E>,
  { listId, afterDomain, limit }: { listId: string; afterDomain: string; limit: number },
  context: CallContext,
): Promise<{ rows: Member[]; hasMore: boolean }> {
  if (afterDomain && domainOf(afterDomain) !== afterDomain) throw invalidField('after_domain', 'must be a domain');
  await getList(deps, tenant, listId, context);
  const ref = listRef(tenant, listId);
  return pageOf(limit, (readLimit) => deps.listMembers.list(ref, afterDomain, readLimit, context.deadline.timeoutMs()));
}
