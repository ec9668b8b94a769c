import type { Db } from 'mongodb';
import { type Role, roleOf } from '../domain/role.ts';
import type { MemberDocument, OrganizationDocument } from './auth-documents.ts';

/** A workspace from the view of one of its members. */
export interface Membership {
  /** ws_ id in the keys service. */
  workspaceId: string;
  /** Id in better-auth. */
  organizationId: string;
  name: string;
  role: Role;
}

/** A person is a member of at most this many workspaces. */
const maxWorkspaces = 100;

export type MemberStore = ReturnType<typeof createMemberStore>;

export function createMemberStore(db: Db) {
  const members = db.collection<MemberDocument>('member');

  const memberships = async (userId: string, slug?: string): Promise<Membership[]> => {
    const rows = members.aggregate<MemberDocument & { organization: OrganizationDocument }>([
      { $match: { userId } },
      { $lookup: { from: 'organization', localField: 'organizationId', foreignField: '_id', as: 'organization' } },
      { $unwind: '$organization' },
      ...(slug === undefined ? [] : [{ $match: { 'organization.slug': slug } }]),
      { $limit: maxWorkspaces },
    ]);
    return (await rows.toArray()).map(({ role, organization: { _id, name, slug } }) => ({
      workspaceId: slug,
      organizationId: _id,
      name,
      role: roleOf(role),
    }));
  };

  return {
    async listWorkspaces(userId: string): Promise<Membership[]> {
      return (await memberships(userId)).sort((a, b) => a.name.localeCompare(b.name));
    },
    async findMembership(userId: string, workspaceId: string): Promise<Membership | undefined> {
      return (await memberships(userId, workspaceId))[0];
    },
  };
}
