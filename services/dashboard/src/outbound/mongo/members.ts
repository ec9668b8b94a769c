import type { Db, ObjectId } from 'mongodb';

/** Reads the collections of better-auth's organization plugin. better-auth writes them. */
interface MemberDocument {
  organizationId: string | ObjectId;
  userId: string | ObjectId;
  role: string;
}

interface OrganizationDocument {
  _id: string | ObjectId;
  name: string;
  slug: string;
}

export interface MembershipRow {
  workspaceId: string;
  organizationId: string;
  name: string;
  role: 'admin' | 'member';
}

/** A person is a member of at most this many workspaces. */
const workspacesMax = 100;

export type MemberStore = ReturnType<typeof createMemberStore>;

export function createMemberStore(db: Db) {
  const members = db.collection<MemberDocument>('member');

  const memberships = async (userId: string, slug?: string): Promise<MembershipRow[]> => {
    const rows = members.aggregate<MemberDocument & { organization: OrganizationDocument }>([
      { $match: { userId } },
      { $lookup: { from: 'organization', localField: 'organizationId', foreignField: '_id', as: 'organization' } },
      { $unwind: '$organization' },
      ...(slug === undefined ? [] : [{ $match: { 'organization.slug': slug } }]),
      { $limit: workspacesMax },
    ]);
    return (await rows.toArray()).map(({ role, organization: { _id, name, slug } }) => ({
      workspaceId: slug,
      organizationId: String(_id),
      name,
      role: role === 'admin' ? 'admin' : 'member',
    }));
  };

  return {
    async listWorkspaces(userId: string): Promise<MembershipRow[]> {
      return (await memberships(userId)).sort((a, b) => a.name.localeCompare(b.name));
    },
    async findMembership(userId: string, workspaceId: string): Promise<MembershipRow | undefined> {
      return (await memberships(userId, workspaceId))[0];
    },
  };
}
