import type { Clock } from '@shopscope/clock';
import { AppError, invalidField } from '@shopscope/errors';
import type { Tx } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import { accountKey } from '../domain/device-cookie.ts';
import { mails } from '../domain/mails.ts';
import type { Role } from '../domain/role.ts';
import { givenEmail, isTypedName } from '../domain/text.ts';
import { limits } from '../domain/throttle-limits.ts';
import { type Who, whoIs } from '../domain/who.ts';
import { membersMax } from '../domain/workspace-limits.ts';
import { invitationSeconds, invitationUrl } from '../outbound/auth.ts';
import type { SendMail } from '../outbound/mail/send-mail.ts';
import type { InvitationStore } from '../outbound/mongo/invitations.ts';
import type { OrganizationStore } from '../outbound/mongo/organizations.ts';
import type { SessionStore } from '../outbound/mongo/sessions.ts';
import type { TeamMember, TeamStore } from '../outbound/mongo/team.ts';
import type { Throttle } from '../outbound/redis/throttle.ts';
import type { Audit } from './audit.ts';
import { requireRecentSignIn } from './recent-sign-in.ts';
import type { WorkspaceVisit } from './workspace-visit.ts';
import { requireAdmin } from './workspaces.ts';

export interface MemberView {
  userId: string;
  name: string;
  email: string;
  role: Role;
  joinedAtMs: number;
  isYou: boolean;
  /** The only admin can neither leave, nor be removed, nor become a member. */
  isLastAdmin: boolean;
}

export interface InvitationView {
  email: string;
  role: Role;
  invitedBy: Who;
  expiresAtMs: number;
  isExpired: boolean;
}

/** `isMailed` is false when the invitation is stored and its mail could not be sent. */
export interface Invited {
  email: string;
  isMailed: boolean;
}

const pendingMax = 100;

export type Members = ReturnType<typeof createMembers>;

/**
 * Members and invitations of a workspace. Everybody of the workspace reads the members; admins see and change the rest.
 *
 * - Every change is recorded in the audit log before it is made (see {@link Audit.record}).
 * - Concurrent changes of one workspace's members conflict and run one after the other, so that an admin stays. Each of
 *   them reads the acting person's role again.
 * - A removed person loses the access with the next request, because every request reads the membership.
 * - A person whom somebody else removes or gives another role signs in again. After a change of the own rights, the page
 *   gives the session a new token.
 */
export function createMembers(deps: {
  team: TeamStore;
  organizations: OrganizationStore;
  invitations: InvitationStore;
  sessions: Pick<SessionStore, 'endAll'>;
  audit: Pick<Audit, 'record'>;
  throttle: Throttle;
  sendMail: SendMail;
  /** Public base of the dashboard. */
  url: string;
  secret: string;
  logger: Logger;
  clock: Pick<Clock, 'now'>;
}) {
  const { team, organizations, audit, clock } = deps;

  const requireRecentAdmin = ({ membership, person }: WorkspaceVisit) => {
    requireAdmin(membership);
    requireRecentSignIn(person, clock.now());
  };

  /** Throws `not_found` for a person who is no member of this workspace. */
  const find = async (
    { membership }: WorkspaceVisit,
    userId: string,
  ): Promise<{ member: TeamMember; all: TeamMember[] }> => {
    const all = await team.list(membership.organizationId);
    const member = all.find((candidate) => candidate.userId === userId);
    if (!member) throw noSuchMember();
    return { member, all };
  };

  /** Reads the acting person's role again, within the change of another member. */
  const requireStillAdmin =
    ({ membership, person }: WorkspaceVisit) =>
    async (tx: Tx) => {
      const role = (await team.roleOf(membership.organizationId, person.userId, tx)) ?? 'member';
      requireAdmin({ ...membership, role });
    };

  const sendInvitation = (visit: WorkspaceVisit, email: string, role: Role): Promise<Invited> => {
    const { organizationId } = visit.membership;
    const ofRecipient = [limits.invitationOfRecipient, `${organizationId}.${accountKey(email)}`] as const;
    const ofPerson = [limits.invitationOfPerson, visit.person.userId] as const;
    return deps.throttle.limit([ofRecipient, ofPerson], () => storeInvitation(visit, email, role));
  };

  const storeInvitation = async (visit: WorkspaceVisit, email: string, role: Role): Promise<Invited> => {
    const { organizationId, name } = visit.membership;
    await audit.record(visit, { action: 'member.invited', subjectId: email, detail: `${email} as ${role}` });
    const now = new Date(clock.now());
    const expiresAt = new Date(clock.now() + invitationSeconds * 1_000);
    const given = { organizationId, email, role, inviterId: visit.person.userId, expiresAt };
    const id = await deps.invitations.insert(given, now, requireStillAdmin(visit));
    if (id === undefined) throw memberAlready(email);
    const inviter = { user: { name: visit.person.name, email: visit.person.email } };
    const text = mails.invitation({ email, role, organization: { name }, inviter }, invitationUrl(deps, id));
    if (!(await deps.throttle.allows([limits.invitationMailOfRecipient, accountKey(email)])))
      return { email, isMailed: false };
    try {
      await deps.sendMail(text);
      return { email, isMailed: true };
    } catch (error) {
      deps.logger.error(
        { requestId: visit.origin.requestId, err: error },
        'the mail of an invitation could not be sent',
      );
      return { email, isMailed: false };
    }
  };

  return {
    async list(visit: WorkspaceVisit): Promise<{ members: MemberView[]; invitations: InvitationView[] }> {
      const { organizationId, role } = visit.membership;
      const [members, invitations] = await Promise.all([
        team.list(organizationId),
        role === 'admin' ? team.listInvitations(organizationId) : [],
      ]);
      const names = new Map(members.map(({ userId, name }) => [userId, name]));
      return {
        members: members.map((member) => toView(member, members, visit)),
        invitations: invitations.map(({ email, role: invitedRole, inviterId, expiresAt }) => ({
          email,
          role: invitedRole,
          invitedBy: whoIs(inviterId, names),
          expiresAtMs: expiresAt.getTime(),
          isExpired: expiresAt.getTime() <= clock.now(),
        })),
      };
    },

    /** A new invitation replaces an earlier one of the same address. */
    async invite(visit: WorkspaceVisit, input: { email: string; role: string }): Promise<Invited> {
      requireRecentAdmin(visit);
      const email = givenEmail('email', input.email);
      const role = givenRole(input.role);
      const { organizationId } = visit.membership;
      const [members, pending] = await Promise.all([team.list(organizationId), team.listInvitations(organizationId)]);
      if (members.some((member) => member.email.toLowerCase() === email)) {
        throw memberAlready(email);
      }
      if (members.length >= membersMax) {
        throw new AppError('conflict', `A workspace has at most ${membersMax} members. Remove one first.`);
      }
      if (pending.length >= pendingMax && !pending.some((invitation) => invitation.email === email)) {
        throw new AppError('conflict', `A workspace has at most ${pendingMax} invitations. Withdraw one first.`);
      }
      return sendInvitation(visit, email, role);
    },

    /** Sends a new link, which is valid for 7 days. The earlier link ends. */
    async sendAgain(visit: WorkspaceVisit, email: string): Promise<Invited> {
      requireRecentAdmin(visit);
      const invitation = await team.findInvitation(visit.membership.organizationId, email);
      if (!invitation) throw noSuchInvitation();
      return sendInvitation(visit, email, invitation.role);
    },

    async withdraw(visit: WorkspaceVisit, email: string): Promise<void> {
      requireAdmin(visit.membership);
      const { organizationId } = visit.membership;
      if (!(await team.findInvitation(organizationId, email))) throw noSuchInvitation();
      await audit.record(visit, { action: 'invitation.withdrawn', subjectId: email, detail: email });
      if (!(await team.cancelInvitations(organizationId, email))) throw noSuchInvitation();
    },

    async setRole(visit: WorkspaceVisit, userId: string, input: string): Promise<MemberView> {
      requireRecentAdmin(visit);
      const role = givenRole(input);
      const { member, all } = await find(visit, userId);
      if (member.role !== role) {
        if (role === 'member' && isLastAdmin(member, all)) throw lastAdmin();
        const detail = `${member.role} → ${role}`;
        await audit.record(visit, { action: 'member.role_changed', subjectId: userId, detail });
        const inTransaction = userId === visit.person.userId ? undefined : requireStillAdmin(visit);
        requireDone(await organizations.setRole(visit.membership.organizationId, userId, role, inTransaction));
        // A session token from before a change of privilege is unusable. The route renews the acting person's own.
        if (userId !== visit.person.userId) await deps.sessions.endAll(userId);
      }
      return toView({ ...member, role }, all, visit);
    },

    /** The member whom somebody is about to remove. Throws for members and without a recent sign-in. */
    async openForRemoval(visit: WorkspaceVisit, userId: string): Promise<MemberView> {
      requireAdmin(visit.membership);
      const { member, all } = await find(visit, userId);
      requireRecentSignIn(visit.person, clock.now());
      return toView(member, all, visit);
    },

    /** `confirmation` must be the person's name. The acting person leaves instead. */
    async remove(visit: WorkspaceVisit, userId: string, confirmation: string): Promise<MemberView> {
      requireAdmin(visit.membership);
      const { member, all } = await find(visit, userId);
      requireRecentSignIn(visit.person, clock.now());
      if (!isTypedName(confirmation, member.name))
        throw invalidField('name', `Enter the name of this member: ${member.name}`);
      if (isLastAdmin(member, all)) throw lastAdmin();
      if (userId === visit.person.userId) {
        throw new AppError('conflict', 'You cannot remove yourself. Leave the workspace instead.');
      }
      await audit.record(visit, { action: 'member.removed', subjectId: userId, detail: '' });
      const { organizationId } = visit.membership;
      requireDone(await organizations.removeMember(organizationId, userId, requireStillAdmin(visit)));
      await deps.sessions.endAll(userId);
      return toView(member, all, visit);
    },

    async leave(visit: WorkspaceVisit): Promise<void> {
      const { userId } = visit.person;
      const { member, all } = await find(visit, userId);
      if (isLastAdmin(member, all)) throw lastAdmin();
      await audit.record(visit, { action: 'member.left', subjectId: userId, detail: '' });
      requireDone(await organizations.removeMember(visit.membership.organizationId, userId));
    },
  };
}

function toView(member: TeamMember, all: readonly TeamMember[], { person }: WorkspaceVisit): MemberView {
  const { userId, name, email, role, joinedAt } = member;
  return {
    userId,
    name,
    email,
    role,
    joinedAtMs: joinedAt.getTime(),
    isYou: userId === person.userId,
    isLastAdmin: isLastAdmin(member, all),
  };
}

const isLastAdmin = (member: TeamMember, all: readonly TeamMember[]) =>
  member.role === 'admin' && all.filter(({ role }) => role === 'admin').length === 1;

function givenRole(role: string): Role {
  if (role === 'admin' || role === 'member') return role;
  throw invalidField('role', 'Choose a role.');
}

function requireDone(outcome: 'done' | 'last_admin' | 'no_member'): void {
  if (outcome === 'last_admin') throw lastAdmin();
  if (outcome === 'no_member') throw noSuchMember();
}

const memberAlready = (email: string) => invalidField('email', `${email} is a member of this workspace already.`);
const noSuchMember = () => new AppError('not_found', 'There is no such member in this workspace.');
const noSuchInvitation = () => new AppError('not_found', 'This invitation was answered or withdrawn already.');
const lastAdmin = () =>
  new AppError(
    'conflict',
    'A workspace needs an admin. Make somebody else an admin first, or delete the workspace. Nothing was changed.',
  );
