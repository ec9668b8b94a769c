import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isId } from '@shopscope/text';
import type { GroupRef, StoreGroup } from '../domain/store-group.ts';
import type { GroupKind } from './group-kinds.ts';

type Words = Pick<GroupKind<Environment, StoreGroup>, 'noun' | 'idPrefix'>;

export const noSuch = ({ noun }: Pick<Words, 'noun'>) =>
  new AppError('not_found', `The workspace has no such ${noun}.`);

/** Throws `not_found` for an id that no such group can have. */
export function refOf<E extends Environment>(
  words: Words,
  { workspaceId, environment }: Tenant<E>,
  id: string,
): GroupRef<E> {
  if (!isId(id, words.idPrefix)) throw noSuch(words);
  return { environment, workspaceId, id };
}

export async function findGroup<E extends Environment, Group extends StoreGroup>(
  kind: GroupKind<E, Group>,
  tenant: Tenant<E>,
  id: string,
  { deadline }: CallContext,
): Promise<Group> {
  const found = await kind.groups.find(refOf(kind, tenant, id), { maxTimeMS: deadline.timeoutMs() });
  if (!found) throw noSuch(kind);
  return found;
}
