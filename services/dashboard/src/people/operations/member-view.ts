import type { Role } from '../../app/domain/role.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { TeamMember } from '../../app/outbound/team.ts';

/** A member of a workspace, as pages show it. */
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

export function toMemberView(
  member: TeamMember,
  all: readonly TeamMember[],
  { person }: Pick<WorkspaceVisit, 'person'>,
): MemberView {
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

export const isLastAdmin = (member: TeamMember, all: readonly TeamMember[]): boolean =>
  member.role === 'admin' && all.filter(({ role }) => role === 'admin').length === 1;
