import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { TeamMember } from '../../app/outbound/team.ts';

/** A member of a workspace, as pages show it. */
export type MemberView = ReturnType<typeof toMemberView>;

export const toMemberView = (
  member: TeamMember,
  all: readonly TeamMember[],
  { person }: Pick<WorkspaceVisit, 'person'>,
) => {
  const { joinedAt, ...facts } = member;
  return {
    ...facts,
    joinedAtMs: joinedAt.getTime(),
    isYou: member.userId === person.userId,
    /** The only admin cannot leave, be removed or become a member. */
    isLastAdmin: isLastAdmin(member, all),
  };
};

export const isLastAdmin = (member: TeamMember, all: readonly TeamMember[]): boolean =>
  member.role === 'admin' && all.filter(({ role }) => role === 'admin').length === 1;
