import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type SuspendWorkspaceRequest } from '@shopscope/proto';
import { givenActor, givenId } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

/**
 * Suspends or resumes a workspace. It does not affect requests, scans and usage that are already running. A repeated call changes
 * nothing and adds one more event, for a gateway that missed the first.
 */
export async function changeSuspension(
  deps: Dependencies,
  input: SuspendWorkspaceRequest & { suspended: boolean },
  context: CallContext,
): Promise<Workspace> {
  const { workspaceId, suspended } = input;
  givenId('workspace_id', workspaceId, 'ws');
  const actor = givenActor(input.actor);
  const atMs = deps.clock.now();
  return changeWorkspace(deps, workspaceId, context, async (tx) => {
    const found = await deps.workspaces.setSuspended(workspaceId, suspended ? new Date(atMs) : null, tx);
    if (!found) throw noSuchWorkspace();
    if (found.changed) {
      const action = suspended ? 'workspace.suspended' : 'workspace.resumed';
      await recordAudit(deps, tx, { workspaceId, actor }, { action, subjectId: workspaceId });
    }
    const change = suspended ? KeyChange.WORKSPACE_SUSPENDED : KeyChange.WORKSPACE_RESUMED;
    await deps.appendEvents(tx, context.origin, { change, workspaceId, atMs });
    return found.workspace;
  });
}
