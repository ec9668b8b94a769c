/** Renaming and deletion of a workspace. The keys service owns the workspace and records both changes in its audit log. */

import { invalidField } from '@shopscope/errors';
import { isolated } from '@shopscope/text';
import { isTypedName, parseWorkspaceName } from '../../app/domain/text.ts';
import { actorOf, requireAdmin, requireRecentAdmin, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';

/**
 * 1. The keys service renames the workspace.
 * 2. The dashboard stores the name for its own lists. A failure before this step -> the page shows the old name. Renaming the workspace
 *    again repairs it.
 */
export async function rename(deps: Dependencies, visit: WorkspaceVisit, newName: string): Promise<void> {
  requireAdmin(visit.membership);
  const name = parseWorkspaceName('name', newName);
  const { workspaceId, organizationId } = visit.membership;
  // Step 1: the name in the keys service.
  await deps.keys.renameWorkspace({ workspaceId, name, ...actorOf(visit) }, visit.origin);
  // Step 2: the name in the dashboard.
  await deps.organizations.rename(organizationId, name);
}

/** Checks that the person may delete the workspace. Throws for members and without a recent sign-in. */
export async function openForDeletion(deps: Dependencies, visit: WorkspaceVisit): Promise<void> {
  requireRecentAdmin(deps, visit);
}

/**
 * `confirmation` must be the workspace's name.
 *
 * 1. The keys service revokes every key and hides the workspace.
 * 2. The members and invitations are removed. A failure before this step -> the workspace is listed without keys, and deleting it again
 *    finishes the work.
 */
export async function deleteWorkspace(deps: Dependencies, visit: WorkspaceVisit, confirmation: string): Promise<void> {
  await openForDeletion(deps, visit);
  const { workspaceId, organizationId, name } = visit.membership;
  if (!isTypedName(confirmation, name))
    throw invalidField('name', `Enter the name of this workspace: ${isolated(name)}`);
  // Step 1: the keys and the workspace.
  await deps.keys.deleteWorkspace({ workspaceId, ...actorOf(visit) }, visit.origin);
  // Step 2: the members and invitations.
  await deps.organizations.finishDeletion(organizationId);
}
