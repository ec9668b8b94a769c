import { randomBytes } from 'node:crypto';
import type { Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';

/** Reads and writes members, invitations and organizations in the documents of better-auth's organization plugin. */
interface MemberDocument {
  _id: string;
  organizationId: string;
  userId: string;
  role: string;
  createdAt: Date;
}

interface InvitationDocument {
  _id: string;
  organizationId: string;
  email: string;
  role: string;
  status: 'pending' | 'accepted' | 'rejected' | 'canceled';
  inviterId: string;
  expiresAt: Date;
  createdAt: Date;
}

interface UserDocument {
  _id: string;
  name: string;
  email: string;
}

interface OrganizationDocument {
  _id: string;
  name: string;
  slug: string;
  /** Counts the changes of members, so that concurrent changes conflict. */
  memberChanges?: number;
}

export type TeamRole = 'admin' | 'member';

export interface TeamMember {
  userId: string;
  name: string;
  email: string;
  role: TeamRole;
  joinedAt: Date;
}

export interface Invitation {
  email: string;
  role: TeamRole;
  inviterId: string;
  expiresAt: Date;
}

/** More than the most members of a workspace. */
const membersMax = 500;
const invitationsMax = 200;

export type TeamStore = ReturnType<typeof createTeamStore>;

export function createTeamStore(db: Db) {
  const members = db.collection<MemberDocument>('member');
  const invitations = db.collection<InvitationDocument>('invitation');
  const organizations = db.collection<OrganizationDocument>('organization');

  const list = async (organizationId: string): Promise<TeamMember[]> => {
    const rows = members.aggregate<MemberDocument & { user: UserDocument }>([
      { $match: { organizationId } },
      { $limit: membersMax },
      { $lookup: { from: 'user', localField: 'userId', foreignField: '_id', as: 'user' } },
      { $unwind: '$user' },
      { $sort: { createdAt: 1, _id: 1 } },
    ]);
    return (await rows.toArray()).map(({ userId, role, createdAt, user: { name, email } }) => ({
      userId,
      name,
      email,
      role: toRole(role),
      joinedAt: createdAt,
    }));
  };

  return {
    /** The earliest member first. */
    list,

    /** Names of the members by usr_ id. */
    async names(organizationId: string): Promise<ReadonlyMap<string, string>> {
      return new Map((await list(organizationId)).map(({ userId, name }) => [userId, name]));
    },

    /** Makes concurrent changes of the members conflict. False when the workspace is gone. */
    async lock(organizationId: string, tx: Tx): Promise<boolean> {
      const { matchedCount } = await organizations.updateOne(
        { _id: organizationId },
        { $inc: { memberChanges: 1 } },
        tx,
      );
      return matchedCount === 1;
    },

    async roleOf(organizationId: string, userId: string, tx: Tx): Promise<TeamRole | undefined> {
      const found = await members.findOne({ organizationId, userId }, tx);
      return found ? toRole(found.role) : undefined;
    },

    countAdmins: (organizationId: string, tx: Tx): Promise<number> =>
      members.countDocuments({ organizationId, role: 'admin' }, tx),

    async setRole(organizationId: string, userId: string, role: TeamRole, tx: Tx): Promise<void> {
      await members.updateOne({ organizationId, userId }, { $set: { role } }, tx);
    },

    async remove(organizationId: string, userId: string, tx: Tx): Promise<void> {
      await members.deleteOne({ organizationId, userId }, tx);
    },

    /** Invitations that nobody has answered, also expired ones. The latest first. */
    async listInvitations(organizationId: string): Promise<Invitation[]> {
      const rows = invitations
        .find({ organizationId, status: 'pending' })
        .sort({ createdAt: -1 })
        .limit(invitationsMax);
      return (await rows.toArray()).map(toInvitation);
    },

    /** The pending invitation of an address, also an expired one. */
    async findInvitation(organizationId: string, email: string): Promise<Invitation | undefined> {
      const found = await invitations.findOne({ organizationId, email, status: 'pending' });
      return found ? toInvitation(found) : undefined;
    },

    /**
     * Cancels earlier invitations of the same address. The returned id is a secret: it is sent to the address, and pages
     * of the workspace never show it.
     */
    async addInvitation(organizationId: string, invitation: Invitation, tx: Tx): Promise<string> {
      const { email } = invitation;
      await invitations.updateMany({ organizationId, email, status: 'pending' }, { $set: { status: 'canceled' } }, tx);
      const _id = randomBytes(20).toString('base64url');
      await invitations.insertOne({ _id, organizationId, status: 'pending', createdAt: new Date(), ...invitation }, tx);
      return _id;
    },

    /** False when the invitation was answered or withdrawn in the meantime. */
    async cancelInvitations(organizationId: string, email: string): Promise<boolean> {
      const pending = { organizationId, email, status: 'pending' } as const;
      const { modifiedCount } = await invitations.updateMany(pending, { $set: { status: 'canceled' } });
      return modifiedCount > 0;
    },

    async rename(organizationId: string, name: string): Promise<void> {
      await organizations.updateOne({ _id: organizationId }, { $set: { name } });
    },

    /** Removes the workspace with its members and invitations. */
    async deleteWorkspace(organizationId: string, tx: Tx): Promise<void> {
      await organizations.deleteOne({ _id: organizationId }, tx);
      await members.deleteMany({ organizationId }, tx);
      await invitations.deleteMany({ organizationId }, tx);
    },
  };
}

const toRole = (role: string): TeamRole => (role === 'admin' ? 'admin' : 'member');

const toInvitation = ({ email, role, inviterId, expiresAt }: InvitationDocument): Invitation => ({
  email,
  role: toRole(role),
  inviterId,
  expiresAt,
});
