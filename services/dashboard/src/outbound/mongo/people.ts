import type { Db } from 'mongodb';

interface UserDocument {
  _id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  createdAt: Date;
  twoFactorEnabled?: boolean;
  workspaceName?: string | null;
}

export interface Person {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  createdAt: Date;
  twoFactorEnabled: boolean;
  /** The name of the workspace that the person asked for when signing up. */
  workspaceName: string | undefined;
}

export type PeopleStore = ReturnType<typeof createPeopleStore>;

/** Reads and writes the people of better-auth where its own API does not suffice. */
export function createPeopleStore(db: Db) {
  const users = db.collection<UserDocument>('user');
  const members = db.collection<{ organizationId: string; userId: string }>('member');
  const invitations = db.collection<{ _id: string; organizationId: string; status: string }>('invitation');
  const organizations = db.collection<{ _id: string; slug: string }>('organization');

  return {
    async findByEmail(email: string): Promise<Person | undefined> {
      return toPerson(await users.findOne({ email }));
    },
    async findById(id: string): Promise<Person | undefined> {
      return toPerson(await users.findOne({ _id: id }));
    },
    /** The workspace of an accepted invitation, when the person is a member of it. */
    async findJoined(invitationId: string, userId: string): Promise<{ workspaceId: string } | undefined> {
      const invitation = await invitations.findOne({ _id: invitationId, status: 'accepted' });
      if (!invitation) return undefined;
      const { organizationId } = invitation;
      if (!(await members.findOne({ organizationId, userId }))) return undefined;
      const organization = await organizations.findOne({ _id: organizationId });
      return organization ? { workspaceId: organization.slug } : undefined;
    },
  };
}

function toPerson(found: UserDocument | null): Person | undefined {
  if (!found) return undefined;
  const { _id, email, name, emailVerified, createdAt, twoFactorEnabled, workspaceName } = found;
  return {
    id: _id,
    email,
    name,
    emailVerified,
    createdAt,
    twoFactorEnabled: twoFactorEnabled === true,
    workspaceName: workspaceName ?? undefined,
  };
}
