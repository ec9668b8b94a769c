import { AppError } from '@shopscope/errors';
import type { KnownVisitors } from '../outbound/known-visitors.ts';
import type { MemberStore, Membership } from '../outbound/members.ts';

export type { Membership };

export type Workspaces = ReturnType<typeof createWorkspaces>;

export function createWorkspaces({
  members,
  visitors,
}: {
  members: MemberStore;
  visitors: Pick<KnownVisitors, 'entered'>;
}) {
  return {
    /** The workspaces of a person, by name. */
    list: (userId: string): Promise<Membership[]> => members.listWorkspaces(userId),

    /** Throws `not_found` for a workspace that does not exist and for one that the person is no member of. */
    async open(userId: string, workspaceId: string): Promise<Membership> {
      const found = await members.findMembership(userId, workspaceId);
      if (!found) throw new AppError('not_found', 'There is no such workspace, or you are not a member of it.');
      visitors.entered(userId, workspaceId);
      return found;
    },
  };
}

/** Throws `forbidden_scope` for members. */
export function requireAdmin({ role }: Membership): void {
  if (role !== 'admin') throw new AppError('forbidden_scope', 'Only admins of this workspace can do this.');
}
