import type { Clock } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';
import type { Transact } from '@shopscope/mongo';
import type { KeysClient } from '../outbound/grpc/keys.ts';
import type { TeamStore } from '../outbound/mongo/team.ts';
import { requireRecentSignIn } from './recent-sign-in.ts';
import { actorOf, originOf, type Visit } from './visit.ts';
import { requireAdmin } from './workspaces.ts';

const nameLengthMax = 100;

export type WorkspaceSettings = ReturnType<typeof createWorkspaceSettings>;

/** Name and end of a workspace. The keys service owns the workspace and records both changes in its audit log. */
export function createWorkspaceSettings(deps: { keys: KeysClient; team: TeamStore; transact: Transact; clock: Clock }) {
  const { keys, team, transact, clock } = deps;

  return {
    /**
     * 1. The keys service renames the workspace.
     * 2. The dashboard stores the name for its own lists. A failure before it -> the page shows the old name, and
     *    renaming again repairs it.
     */
    async rename(visit: Visit, name: string): Promise<void> {
      requireAdmin(visit.membership);
      if (name === '' || name.length > nameLengthMax || /\p{Cc}/u.test(name)) {
        throw invalidField('name', `Enter a name of 1 to ${nameLengthMax} characters.`);
      }
      const { workspaceId, organizationId } = visit.membership;
      await keys.renameWorkspace(workspaceId, name, actorOf(visit), originOf(visit));
      await team.rename(organizationId, name);
    },

    /** Before somebody deletes the workspace. Throws for members and without a recent sign-in. */
    async openForDeletion(visit: Visit): Promise<void> {
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
    async delete(visit: Visit, confirmation: string): Promise<void> {
      await this.openForDeletion(visit);
      const { workspaceId, organizationId, name } = visit.membership;
      if (confirmation !== name) throw invalidField('name', `Enter the name of this workspace: ${name}`);
      await keys.deleteWorkspace(workspaceId, actorOf(visit), originOf(visit));
      await transact((tx) => team.deleteWorkspace(organizationId, tx));
    },
  };
}
