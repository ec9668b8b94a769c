import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Dependencies } from './dependencies.ts';
import { removeListStores } from './remove-list-stores.ts';

/** Removes a store. A store that the list does not have is `not_found`. */
export async function removeListStore<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { listId, domain }: { listId: string; domain: string },
  context: CallContext,
): Promise<void> {
  const [result] = await removeListStores(deps, tenant, { listId, domains: [domain] }, context);
  if (result?.outcome !== 'removed') throw new AppError('not_found', 'The list does not have this store.');
}
