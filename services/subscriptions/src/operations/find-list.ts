import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { type GroupRef, parseId, type StoreGroup } from '../domain/store-group.ts';
import type { Dependencies } from './dependencies.ts';

export const noSuchList = () => new AppError('not_found', 'There is no such list.');

/** Throws for an id that no list can have. */
export const listRef = <E extends Environment>({ workspaceId, environment }: Tenant<E>, id: string): GroupRef<E> => ({
  environment,
  workspaceId,
  id: parseId('list_id', id, 'lst'),
});

export async function getList<E extends Environment>(
  deps: Pick<Dependencies<E>, 'lists'>,
  tenant: Tenant<E>,
  listId: string,
  { deadline }: CallContext,
): Promise<StoreGroup> {
  const found = await deps.lists.find(listRef(tenant, listId), { maxTimeMS: deadline.timeoutMs() });
  if (!found) throw noSuchList();
  return found;
}
