/**
 * Roles of members, and their end.
 *
 * - Concurrent changes of one workspace's members conflict and run one after the other, so that an admin stays. Each of
 *   them reads the acting person's role again.
 * - Pending invitations of somebody who does not stay admin are withdrawn in the transaction of the change.
 * - A removed person loses the access with the next request, because every request reads the membership.
 * - A person whom somebody else removes or gives another role signs in again. After a change of the own rights, the page
 *   gives the session a new token.
 * - Keys that the person made stay valid, unless the change revokes them. A change of somebody else: the right ends first, so that the
 *   person makes no further key; a failure leaves valid keys, and the outcome says so. A change of the own right: the keys are
 *   revoked first, because the right to do it goes; a failure leaves the right.
 * - The change and each revocation are in the audit log.
 */

import { AppError, invalidField } from '@shopscope/errors';
import type { Tx } from '@shopscope/mongo';
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

/** What became of the keys that were to be revoked after a change. `failed`: the change is made, and the keys are valid. */
export type KeysOutcome = 'none' | 'revoked' | 'failed';

/** Throws `not_found` for a person who is no member of this workspace. */
const find = async (deps: Dependencies, { membership }: WorkspaceVisit, userId: string) => {
  const all = await deps.team.list(membership.organizationId);
  const member = all.find((candidate) => candidate.userId === userId);
  if (!member) throw noSuchMember();
  return { member, all };
};

/** What goes with the right of a person: pending invitations, and valid keys, which stay unless they are revoked. */
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
    const line = { requestId: visit.origin.requestId, userId, err: error };
    deps.logger.error(line, 'the keys of a person without the right to them could not be revoked');
    return 'failed';
  }
};

/** The member whom somebody is about to remove or to demote. Throws for members and without a recent sign-in. */
export async function openDeparture(deps: Dependencies, visit: WorkspaceVisit, userId: string) {
  requireAdmin(visit.membership);
  const { member, all } = await find(deps, visit, userId);
  requireRecentSignIn(visit.person, deps.clock.now());
  return departureOf(deps, visit, member, all);
}

/** `keys` of an admin who becomes a member are revoked. */
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
  // A session token from before a change of privilege is unusable. The route renews the acting person's own.
  if (view.isYou) return { member: view, keys: 'none' };
  await deps.sessions.endAll(userId);
  return { member: view, keys: await revokeAfterwards(deps, visit, userId, chosen) };
}

/**
 * `confirmation` must be the person's name. The acting person leaves instead. A failure after each step:
 *
 * 1. Record the removal. -> The log has an entry for a removal that was tried.
 * 2. Remove the member and withdraw the pending invitations, in one transaction. -> The sessions open no workspace. The keys are
 *    valid, and the list of members leads to them.
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
  await record(deps, visit, { action: 'member.removed', ...subject, detail: '' });
  await removeMember(deps, visit, userId);
  await deps.sessions.endAll(userId);
  return revokeAfterwards(deps, visit, userId, keys);
}

/** What goes with the acting person. Members cannot revoke keys, so they see none. */
export async function openLeaving(deps: Dependencies, visit: WorkspaceVisit) {
  const { member, all } = await find(deps, visit, visit.person.userId);
  if (member.role === 'admin') return departureOf(deps, visit, member, all);
  return { member: toMemberView(member, all, visit), invitations: [], keys: [] };
}

/** Needs an admin and a recent sign-in when keys are chosen. */
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
