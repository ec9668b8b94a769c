/**
 * Changes of members' roles, and removal of members.
 *
 * - Concurrent changes of one workspace's members conflict and run one after the other. Each of them reads the acting person's role again.
 *   The workspace therefore keeps an admin.
 * - If the person does not stay an admin, pending invitations of the person are withdrawn in the transaction of the change.
 * - A removed person loses access with the next request, because every request reads the membership.
 * - A person who is removed or gets another role from somebody else must sign in again. After a person's change of their own role, the page
 *   gives the session a new token.
 * - Keys that the person made stay valid, unless the change revokes them. In a change of another person, the role changes first, so that
 *   the person makes no further key. If the revocation fails, the keys stay valid and the outcome is `failed`. In a change of their own
 *   role, the keys are revoked first, because the right to revoke them ends with the role. If the revocation fails, the role stays.
 * - The change and each revocation are in the audit log.
 */

import { AppError, invalidField } from '@shopscope/errors';
import type { Tx } from '@shopscope/mongo';
import { originFields } from '@shopscope/telemetry';
import { isolated } from '@shopscope/text';
import { parseRole } from '../../app/domain/role.ts';
import { isTypedName } from '../../app/domain/text.ts';
import {
  actorOf,
  requireAdmin,
  requireRecentAdmin,
  requireRecentSignIn,
  requireStillAdmin,
  type WorkspaceVisit,
} from '../../app/operations/visit.ts';
import type { TeamMember } from '../../app/outbound/team.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type KeyChoice, madeKeys } from '../../keys/operations.ts';
import type { Done, MemberChange } from '../outbound/organizations.ts';
import { record } from './audit.ts';
import { isLastAdmin, type MemberView, toMemberView } from './member-view.ts';
import { withdrawals } from './withdrawals.ts';

/** Whether the chosen keys were revoked after a change. `failed`: the change was made, but the keys are still valid. */
export type KeysOutcome = 'none' | 'revoked' | 'failed';

/** Throws `not_found` if the person is not a member of this workspace. */
const find = async (deps: Dependencies, { membership }: WorkspaceVisit, userId: string) => {
  const all = await deps.team.list(membership.organizationId);
  const member = all.find((candidate) => candidate.userId === userId);
  if (!member) throw noSuchMember();
  return { member, all };
};

/** The invitations of a person that end with the role, and the valid keys, which stay unless they are revoked. */
const departureOf = async (deps: Dependencies, visit: WorkspaceVisit, member: TeamMember, all: TeamMember[]) => {
  const [invitations, keys] = await Promise.all([
    deps.team.listInvitations(visit.membership.organizationId),
    madeKeys.list(deps, visit, member.userId),
  ]);
  const own = invitations.filter(({ inviterId }) => inviterId === member.userId);
  return { member: toMemberView(member, all, visit), invitations: own.map(({ email }) => email), keys };
};

const withinChange = (deps: Dependencies, visit: WorkspaceVisit, userId: string) => async (tx: Tx, done: Done) => {
  if (userId !== visit.person.userId) await requireStillAdmin(deps.team, visit, tx);
  const by = { workspaceId: visit.membership.workspaceId, ...actorOf(visit) };
  await deps.auditOutbox.add(withdrawals(by, done.withdrawn), new Date(deps.clock.now()), tx);
};

const removeMember = async (deps: Dependencies, visit: WorkspaceVisit, userId: string) => {
  const { organizationId } = visit.membership;
  requireDone(await deps.organizations.removeMember(organizationId, userId, withinChange(deps, visit, userId)));
};

const revokeAfterwards = async (
  deps: Dependencies,
  visit: WorkspaceVisit,
  userId: string,
  keys: KeyChoice,
): Promise<KeysOutcome> => {
  if (keys.length === 0) return 'none';
  try {
    await madeKeys.revoke(deps, visit, userId, keys);
    return 'revoked';
  } catch (error) {
    const line = { ...originFields(visit.origin), userId, err: error };
    deps.logger.error(line, 'the keys of a person without the right to them could not be revoked');
    return 'failed';
  }
};

/** The member for the form that removes or demotes them. Throws if the acting person is not an admin or has no recent sign-in. */
export async function openDeparture(deps: Dependencies, visit: WorkspaceVisit, userId: string) {
  requireAdmin(visit.membership);
  const { member, all } = await find(deps, visit, userId);
  requireRecentSignIn(visit.person, deps.clock.now());
  return departureOf(deps, visit, member, all);
}

/** `keys` are the keys to revoke of an admin who becomes a member. */
export async function setRole(
  deps: Dependencies,
  visit: WorkspaceVisit,
  userId: string,
  input: string,
  keys: KeyChoice,
): Promise<{ member: MemberView; keys: KeysOutcome }> {
  requireRecentAdmin(deps, visit);
  const role = parseRole('role', input);
  const { member, all } = await find(deps, visit, userId);
  const view = toMemberView({ ...member, role }, all, visit);
  if (member.role === role) return { member: view, keys: 'none' };
  if (role === 'member' && isLastAdmin(member, all)) throw lastAdmin();
  const chosen = role === 'member' ? keys : [];
  await madeKeys.requireMade(deps, visit, userId, chosen);
  if (view.isYou) await madeKeys.revoke(deps, visit, userId, chosen);
  const change = { subjectId: userId, subjectPerson: nameOf(member), detail: `${member.role} → ${role}` };
  await record(deps, visit, { action: 'member.role_changed', ...change });
  const { organizationId } = visit.membership;
  requireDone(await deps.organizations.setRole(organizationId, userId, role, withinChange(deps, visit, userId)));
  // A session token from before a change of role becomes invalid. The route renews the acting person's own token.
  if (view.isYou) return { member: view, keys: 'none' };
  await deps.sessions.endAll(userId);
  return { member: view, keys: await revokeAfterwards(deps, visit, userId, chosen) };
}

/**
 * `confirmation` must be the person's name. Admins cannot remove themselves: they leave instead. A failure after each step:
 *
 * 1. Record the removal. -> The log has an entry for a removal that was tried.
 * 2. Remove the member and withdraw the pending invitations, in one transaction. -> The sessions open no workspace. The keys are valid, and
 *    the list of members links to them.
 * 3. End the sessions. -> As after step 2.
 * 4. Revoke the chosen keys, all or none. -> `failed`, as after step 2.
 */
export async function remove(
  deps: Dependencies,
  visit: WorkspaceVisit,
  userId: string,
  { confirmation, keys }: { confirmation: string; keys: KeyChoice },
): Promise<KeysOutcome> {
  requireAdmin(visit.membership);
  const { member, all } = await find(deps, visit, userId);
  requireRecentSignIn(visit.person, deps.clock.now());
  if (!isTypedName(confirmation, member.name))
    throw invalidField('name', `Enter the name of this member: ${isolated(member.name)}`);
  if (isLastAdmin(member, all)) throw lastAdmin();
  if (userId === visit.person.userId) {
    throw new AppError('conflict', 'You cannot remove yourself. Leave the workspace instead.');
  }
  await madeKeys.requireMade(deps, visit, userId, keys);
  const subject = { subjectId: userId, subjectPerson: nameOf(member) };
  // Step 1: the record.
  await record(deps, visit, { action: 'member.removed', ...subject, detail: '' });
  // Step 2: the removal.
  await removeMember(deps, visit, userId);
  // Step 3: the sessions.
  await deps.sessions.endAll(userId);
  // Step 4: the chosen keys.
  return revokeAfterwards(deps, visit, userId, keys);
}

/** The invitations and keys that end or can end with the acting person. Members see no keys, because they cannot revoke keys. */
export async function openLeaving(deps: Dependencies, visit: WorkspaceVisit) {
  const { member, all } = await find(deps, visit, visit.person.userId);
  if (member.role === 'admin') return departureOf(deps, visit, member, all);
  return { member: toMemberView(member, all, visit), invitations: [], keys: [] };
}

/** If keys are chosen, the person must be an admin with a recent sign-in. */
export async function leave(deps: Dependencies, visit: WorkspaceVisit, keys: KeyChoice): Promise<void> {
  const { userId } = visit.person;
  const { member, all } = await find(deps, visit, userId);
  if (isLastAdmin(member, all)) throw lastAdmin();
  if (keys.length > 0) requireRecentAdmin(deps, visit);
  await madeKeys.requireMade(deps, visit, userId, keys);
  await madeKeys.revoke(deps, visit, userId, keys);
  await record(deps, visit, { action: 'member.left', subjectId: userId, detail: '' });
  await removeMember(deps, visit, userId);
}

const nameOf = ({ name, email }: TeamMember) => ({ name, email });

function requireDone({ outcome }: MemberChange): void {
  if (outcome === 'last_admin') throw lastAdmin();
  if (outcome === 'no_member') throw noSuchMember();
}

const noSuchMember = () => new AppError('not_found', 'There is no such member in this workspace.');
const lastAdmin = () =>
  new AppError(
    'conflict',
    'A workspace needs an admin. Make somebody else an admin first, or delete the workspace. Nothing was changed.',
  );
