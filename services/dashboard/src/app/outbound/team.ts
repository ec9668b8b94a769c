import type { Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { PersonName } from '../domain/actor.ts';
import { maxMembers, type Role, roleOf } from '../domain/role.ts';
import type { InvitationDocument, MemberDocument, OrganizationDocument, UserDocument } from './auth-documents.ts';

/** A workspace as one of its members sees it. */
export type Membership = Awaited<ReturnType<TeamStore['listWorkspaces']>>[number];
export type TeamMember = Awaited<ReturnType<TeamStore['list']>>[number];

const maxWorkspaces = 100;
const maxInvitations = 200;

export type TeamStore = ReturnType<typeof createTeamStore>;

export function createTeamStore(db: Db) {
  const members = db.collection<MemberDocument>('member');
  const invitations = db.collection<InvitationDocument>('invitation');
  const users = db.collection<UserDocument>('user');
  const organizations = db.collection<OrganizationDocument>('organization');

  const memberships = async (userId: string, workspaceId?: string) => {
    const rows = members.aggregate<MemberDocument & { organization: OrganizationDocument }>([
      { $match: { userId } },
      { $lookup: { from: 'organization', localField: 'organizationId', foreignField: '_id', as: 'organization' } },
      { $unwind: '$organization' },
      ...(workspaceId === undefined ? [] : [{ $match: { 'organization.slug': workspaceId } }]),
      { $limit: maxWorkspaces },
    ]);
    return (await rows.toArray()).map(({ role, organization: { _id, name, slug } }) => ({
      /** The id in the keys service, with the prefix ws_. */
      workspaceId: slug,
      /** The id in better-auth. */
      organizationId: _id,
      name,
      role: roleOf(role),
    }));
  };

  const list = async (organizationId: string) => {
    const rows = members.aggregate<MemberDocument & { user: UserDocument }>([
      { $match: { organizationId } },
      { $limit: maxMembers },
      { $lookup: { from: 'user', localField: 'userId', foreignField: '_id', as: 'user' } },
      { $unwind: '$user' },
      { $sort: { createdAt: 1, _id: 1 } },
    ]);
    return (await rows.toArray()).map(({ userId, role, createdAt, user: { name, email } }) => ({
      userId,
      name,
      email,
      role: roleOf(role),
      joinedAt: createdAt,
    }));
  };

  return {
    /** The workspaces of a person, by name. */
    async listWorkspaces(userId: string) {
      return (await memberships(userId)).sort((a, b) => a.name.localeCompare(b.name));
    },

    async findMembership(userId: string, workspaceId: string) {
      return (await memberships(userId, workspaceId))[0];
    },

    /** The members, earliest first. */
    list,

    /** The user ids of the admins of a workspace. A workspace without people has none. */
    async listAdmins(workspaceId: string): Promise<string[]> {
      const organization = await organizations.findOne({ slug: workspaceId });
      if (!organization) return [];
      const admins = members.find({ organizationId: organization._id, role: 'admin' }).limit(maxMembers);
      return (await admins.toArray()).map(({ userId }) => userId);
    },

    /** The names and addresses of the members, by user id. */
    async names(organizationId: string): Promise<ReadonlyMap<string, PersonName>> {
      return new Map((await list(organizationId)).map(({ userId, name, email }) => [userId, { name, email }]));
    },

    /** The names and addresses of people with an account, by user id. They may be members or not. */
    async namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonName>> {
      const found = users.find({ _id: { $in: [...userIds] } }, { projection: { name: 1, email: 1 } });
      return new Map((await found.toArray()).map(({ _id, name, email }) => [_id, { name, email }]));
    },

    async roleOf(organizationId: string, userId: string, tx?: Tx): Promise<Role | undefined> {
      const found = await members.findOne({ organizationId, userId }, tx);
      return found ? roleOf(found.role) : undefined;
    },

    /** Invitations that nobody has answered, including expired ones. Latest first. */
    async listInvitations(organizationId: string) {
      const rows = invitations
        .find({ organizationId, status: 'pending' })
        .sort({ createdAt: -1 })
        .limit(maxInvitations);
      return (await rows.toArray()).map(toInvitation);
    },

    /** The pending invitation of an address, even if it has expired. */
    async findInvitation(organizationId: string, email: string) {
      const found = await invitations.findOne({ organizationId, email, status: 'pending' });
      return found ? toInvitation(found) : undefined;
    },

    /** False if the invitation was answered or withdrawn meanwhile. */
    async cancelInvitations(organizationId: string, email: string): Promise<boolean> {
      const pending = { organizationId, email, status: 'pending' } as const;
      const { modifiedCount } = await invitations.updateMany(pending, { $set: { status: 'canceled' } });
      return modifiedCount > 0;
    },
  };
}

const toInvitation = ({ email, role, inviterId, expiresAt }: InvitationDocument) => ({
  email,
  role: roleOf(role),
  inviterId,
  expiresAt,
});
