/**
 * Members and invitations of a workspace. Every member can read the members; admins see and change the rest.
 *
 * - An invitation is recorded in the audit log before it is stored (see {@link Audit.record}).
 * - The acting person's role is read again in the transaction that stores an invitation.
 */

import { AppError, invalidField } from '@shopscope/errors';
import { originFields } from '@shopscope/telemetry';
import { currentActor } from '../../app/domain/actor.ts';
import { maxMembers, parseRole, type Role } from '../../app/domain/role.ts';
import { parseEmail } from '../../app/domain/text.ts';
import { limits } from '../../app/domain/throttle-limits.ts';
import {
  requireAdmin,
  requireRecentAdmin,
  requireStillAdmin,
  type WorkspaceVisit,
} from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { mailboxKey } from '../domain/mailbox.ts';
import { mails } from '../domain/mails.ts';
import { invitationSeconds, invitationUrl } from '../outbound/auth.ts';
import { record } from './audit.ts';
import { toMemberView } from './member-view.ts';

export type InvitationView = Awaited<ReturnType<typeof list>>['invitations'][number];

const maxPending = 100;

const sendInvitation = (deps: Dependencies, visit: WorkspaceVisit, email: string, role: Role) => {
  const { organizationId } = visit.membership;
  const ofRecipient = [limits.invitationOfRecipient, `${organizationId}.${mailboxKey(email)}`] as const;
  const ofPerson = [limits.invitationOfPerson, visit.person.userId] as const;
  return deps.throttle.limit([ofRecipient, ofPerson], () => storeInvitation(deps, visit, email, role));
};

/** `isMailed` is false if the invitation was stored but its mail was not sent. */
const storeInvitation = async (deps: Dependencies, visit: WorkspaceVisit, email: string, role: Role) => {
  const { organizationId, name } = visit.membership;
  await record(deps, visit, { action: 'member.invited', subjectId: email, detail: `${email} as ${role}` });
  const now = new Date(deps.clock.now());
  const expiresAt = new Date(deps.clock.now() + invitationSeconds * 1_000);
  const given = { organizationId, email, role, inviterId: visit.person.userId, expiresAt };
  const stored = await deps.invitations.insert(given, now, (tx) => requireStillAdmin(deps.team, visit, tx));
  if (stored === 'member') throw memberAlready(email);
  if (stored === 'closed') throw new AppError('conflict', 'The workspace is being deleted. Nobody was invited.');
  const inviter = { user: { name: visit.person.name, email: visit.person.email } };
  const text = mails.invitation({ email, role, organization: { name }, inviter }, invitationUrl(deps, stored.id));
  if (!(await deps.throttle.allows([limits.invitationMailOfRecipient, mailboxKey(email)])))
    return { email, isMailed: false };
  try {
    await deps.sendMail(text);
    return { email, isMailed: true };
  } catch (error) {
    deps.logger.error({ ...originFields(visit.origin), err: error }, 'the mail of an invitation could not be sent');
    return { email, isMailed: false };
  }
};

export async function list(deps: Dependencies, visit: WorkspaceVisit) {
  const { organizationId, role } = visit.membership;
  const [members, invitations] = await Promise.all([
    deps.team.list(organizationId),
    role === 'admin' ? deps.team.listInvitations(organizationId) : [],
  ]);
  const names = new Map(members.map((member) => [member.userId, member]));
  return {
    members: members.map((member) => toMemberView(member, members, visit)),
    invitations: invitations.map(({ email, role: invitedRole, inviterId, expiresAt }) => ({
      email,
      role: invitedRole,
      invitedBy: currentActor(inviterId, names),
      expiresAtMs: expiresAt.getTime(),
      isExpired: expiresAt.getTime() <= deps.clock.now(),
    })),
  };
}

/** A new invitation replaces an earlier one to the same address. */
export async function invite(deps: Dependencies, visit: WorkspaceVisit, input: { email: string; role: string }) {
  requireRecentAdmin(deps, visit);
  const email = parseEmail('email', input.email);
  const role = parseRole('role', input.role);
  const { organizationId } = visit.membership;
  const [members, pending] = await Promise.all([
    deps.team.list(organizationId),
    deps.team.listInvitations(organizationId),
  ]);
  if (members.some((member) => member.email.toLowerCase() === email)) {
    throw memberAlready(email);
  }
  if (members.length >= maxMembers) {
    throw new AppError('conflict', `A workspace has at most ${maxMembers} members. Remove one first.`);
  }
  if (pending.length >= maxPending && !pending.some((invitation) => invitation.email === email)) {
    throw new AppError('conflict', `A workspace has at most ${maxPending} invitations. Withdraw one first.`);
  }
  return sendInvitation(deps, visit, email, role);
}

/** Sends a new link, which is valid for 7 days. The earlier link becomes invalid. */
export async function sendAgain(deps: Dependencies, visit: WorkspaceVisit, email: string) {
  requireRecentAdmin(deps, visit);
  const invitation = await deps.team.findInvitation(visit.membership.organizationId, email);
  if (!invitation) throw noSuchInvitation();
  return sendInvitation(deps, visit, email, invitation.role);
}

export async function withdraw(deps: Dependencies, visit: WorkspaceVisit, email: string): Promise<void> {
  requireAdmin(visit.membership);
  const { organizationId } = visit.membership;
  if (!(await deps.team.findInvitation(organizationId, email))) throw noSuchInvitation();
  await record(deps, visit, { action: 'invitation.withdrawn', subjectId: email, detail: email });
  if (!(await deps.team.cancelInvitations(organizationId, email))) throw noSuchInvitation();
}

const memberAlready = (email: string) => invalidField('email', `${email} is a member of this workspace already.`);
const noSuchInvitation = () => new AppError('not_found', 'This invitation was answered or withdrawn already.');
