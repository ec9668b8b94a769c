import type { Tx } from '@shopscope/mongo';
import type { TeamStore } from '../outbound/team.ts';
import type { WorkspaceVisit } from './workspace-visit.ts';
import { requireAdmin } from './workspaces.ts';

/** Reads the acting person's role again, for example within a change. Throws `forbidden_scope` for somebody who is no admin any more. */
export async function requireStillAdmin(
  team: Pick<TeamStore, 'roleOf'>,
  { membership, person }: WorkspaceVisit,
  tx?: Tx,
): Promise<void> {
  const role = (await team.roleOf(membership.organizationId, person.userId, tx)) ?? 'member';
  requireAdmin({ ...membership, role });
}
