import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { StoreGroup } from '../domain/store-group.ts';
import type { Dependencies } from './dependencies.ts';
import type { GroupKind } from './group-kinds.ts';
import { removeStores } from './remove-stores.ts';

/** Removes a store. A store that the group does not have is `not_found`. */
export async function removeStore<E extends Environment, Group extends StoreGroup>(
  deps: Dependencies<E>,
  kind: GroupKind<E, Group>,
  tenant: Tenant<E>,
  { id, domain }: { id: string; domain: string },
  context: CallContext,
): Promise<void> {
  const [result] = await removeStores(deps, kind, tenant, { id, domains: [domain] }, context);
  if (result?.outcome !== 'removed') throw new AppError('not_found', `The ${kind.noun} does not have this store.`);
}
