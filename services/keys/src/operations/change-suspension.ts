import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type SuspendWorkspaceRequest } from '@shopscope/proto';
import type { Workspace } from '../domain/workspace.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

/**
 * Suspends or resumes a workspace. Requests, scans and usage that are already running are not affected. A repeated call changes
 * nothing and adds one more event, for a gateway that missed the first one.
 */
export async function changeSuspension(
  deps: Dependencies,
  input: SuspendWorkspaceRequest & { suspended: boolean },
  context: CallContext,
): Promise<Workspace> {
  const { workspaceId, suspended } = input;
  return changeWorkspace(deps, input, context, async ({ tx, at, audit, announce }) => {
    const found = await deps.workspaces.setSuspended(workspaceId, suspended ? at : null, tx);
    if (!found) throw noSuchWorkspace();
    const action = suspended ? 'workspace.suspended' : 'workspace.resumed';
    if (found.changed) await audit({ action, subjectId: workspaceId });
    await announce(suspended ? KeyChange.WORKSPACE_SUSPENDED : KeyChange.WORKSPACE_RESUMED);
    return found.workspace;
  });
}
