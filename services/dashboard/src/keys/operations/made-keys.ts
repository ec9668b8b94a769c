/**
 * The valid keys that one person has created, and their revocation. A person who created a key has seen its secret. The key `Dashboard` is
 * not included, because nobody has seen its secret.
 */

import { AppError, invalidField } from '@shopscope/errors';
import { KeyUse } from '@shopscope/proto';
import { isolated } from '@shopscope/text';
import { isTypedName } from '../../app/domain/text.ts';
import { actorOf, requireAdmin, requireRecentSignIn, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { keySummary } from '../domain/key-state.ts';

/** The keys of a person that were chosen in a form. */
export type KeyChoice = 'all' | readonly string[];

const listOf = async (deps: Dependencies, { membership, origin }: WorkspaceVisit, userId: string) =>
  (await deps.keys.listKeys({ workspaceId: membership.workspaceId }, origin)).keys
    .filter((key) => key.createdBy === userId && key.use !== KeyUse.DASHBOARD)
    .map(keySummary);

/**
 * A person who has created keys of a workspace: a current or former member. If the account was deleted, the name is the id and the address
 * is empty.
 */
const makerOf = async (deps: Dependencies, visit: WorkspaceVisit, userId: string) => {
  requireAdmin(visit.membership);
  const [made, members] = await Promise.all([
    listOf(deps, visit, userId),
    deps.team.names(visit.membership.organizationId),
  ]);
  const isMember = members.has(userId);
  // The names of people who have nothing to do with the workspace must not be shown.
  if (made.length === 0 && !isMember) throw new AppError('not_found', 'There is no valid key of this person.');
  const person = members.get(userId) ?? (await deps.team.namesOf([userId])).get(userId);
  return { userId, name: userId, email: '', ...person, isMember, keys: made };
};

/** The valid keys that a person has created. Throws for members. */
export async function list(deps: Dependencies, visit: WorkspaceVisit, userId: string) {
  requireAdmin(visit.membership);
  return listOf(deps, visit, userId);
}

/** Throws `invalid_request` if one of the keys was not created by the person, or was revoked meanwhile. */
export async function requireMade(deps: Dependencies, visit: WorkspaceVisit, userId: string, choice: KeyChoice) {
  if (choice === 'all' || choice.length === 0) return;
  const made = new Set((await listOf(deps, visit, userId)).map(({ id }) => id));
  if (choice.every((id) => made.has(id))) return;
  throw invalidField('keys', 'The keys of this person have changed. Nothing was changed. Choose again.');
}

/** Revokes all chosen keys, or none. `all` reads the keys again. The caller must have checked the right and the choice. */
export async function revoke(deps: Dependencies, visit: WorkspaceVisit, userId: string, choice: KeyChoice) {
  const ids = choice === 'all' ? (await listOf(deps, visit, userId)).map(({ id }) => id) : choice;
  const { workspaceId } = visit.membership;
  if (ids.length > 0) await deps.keys.revokeKeys({ workspaceId, keyIds: [...ids], ...actorOf(visit) }, visit.origin);
}

/** Checks that the acting person may revoke keys of a person. Throws for members and without a recent sign-in. */
export async function openForRevocation(deps: Dependencies, visit: WorkspaceVisit, userId: string) {
  const maker = await makerOf(deps, visit, userId);
  requireRecentSignIn(visit.person, deps.clock.now());
  return maker;
}

/** `confirmation` must be the person's name. */
export async function revokeConfirmed(
  deps: Dependencies,
  visit: WorkspaceVisit,
  userId: string,
  { confirmation, keys: choice }: { confirmation: string; keys: KeyChoice },
): Promise<void> {
  const { name } = await openForRevocation(deps, visit, userId);
  if (!isTypedName(confirmation, name)) throw invalidField('name', `Enter the name of this person: ${isolated(name)}`);
  if (choice.length === 0) throw invalidField('keys', 'Choose at least one key.');
  await requireMade(deps, visit, userId, choice);
  await revoke(deps, visit, userId, choice);
}
