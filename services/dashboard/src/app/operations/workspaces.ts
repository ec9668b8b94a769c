import { AppError } from '@shopscope/errors';
import type { Dependencies } from '../wiring/dependencies.ts';

export const list = (deps: Dependencies, userId: string) => deps.team.listWorkspaces(userId);

/** Throws `not_found` if the workspace does not exist or the person is not a member of it. */
export async function open(deps: Dependencies, userId: string, workspaceId: string) {
  const found = await deps.team.findMembership(userId, workspaceId);
  if (!found) throw new AppError('not_found', 'There is no such workspace, or you are not a member of it.');
  deps.visitors.entered(userId, workspaceId);
  return found;
}
