import type { Clock } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';
import { isolated } from '@shopscope/text';
import { givenWorkspaceName, isTypedName } from '../../app/domain/text.ts';
import { requireRecentSignIn } from '../../app/operations/recent-sign-in.ts';
import { actorOf, type WorkspaceVisit } from '../../app/operations/workspace-visit.ts';
import { requireAdmin } from '../../app/operations/workspaces.ts';
import type { KeysClient } from '../../keys/outbound/keys.ts';
import type { OrganizationStore } from '../outbound/organizations.ts';

export type WorkspaceSettings = ReturnType<typeof createWorkspaceSettings>;

/** Name and end of a workspace. The keys service owns the workspace and records both changes in its audit log. */
export function createWorkspaceSettings(deps: {
  keys: Pick<KeysClient, 'renameWorkspace' | 'deleteWorkspace'>;
  organizations: OrganizationStore;
  clock: Pick<Clock, 'now'>;
}) {
  const { keys, organizations, clock } = deps;

  return {
    /**
     * 1. The keys service renames the workspace.
     * 2. The dashboard stores the name for its own lists. A failure before it -> the page shows the old name, and
     *    renaming again repairs it.
     */
    async rename(visit: WorkspaceVisit, newName: string): Promise<void> {
      requireAdmin(visit.membership);
      const name = givenWorkspaceName('name', newName);
      const { workspaceId, organizationId } = visit.membership;
      await keys.renameWorkspace(workspaceId, name, actorOf(visit), visit.origin);
      await organizations.rename(organizationId, name);
    },

    /** Before somebody deletes the workspace. Throws for members and without a recent sign-in. */
    async openForDeletion(visit: WorkspaceVisit): Promise<void> {
      requireAdmin(visit.membership);
      requireRecentSignIn(visit.person, clock.now());
    },

    /**
     * `confirmation` must be the workspace's name.
     *
     * 1. The keys service revokes every key and hides the workspace.
     * 2. The members and invitations are removed. A failure before it -> the workspace is listed without keys, and
     *    deleting it again finishes the work.
     */
    async delete(visit: WorkspaceVisit, confirmation: string): Promise<void> {
      await this.openForDeletion(visit);
      const { workspaceId, organizationId, name } = visit.membership;
      if (!isTypedName(confirmation, name))
        throw invalidField('name', `Enter the name of this workspace: ${isolated(name)}`);
      await keys.deleteWorkspace(workspaceId, actorOf(visit), visit.origin);
      await organizations.finishDeletion(organizationId);
    },
  };
}
