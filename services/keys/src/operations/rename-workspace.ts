import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type RenameWorkspaceRequest } from '@shopscope/proto';
import { changeDetail } from '../domain/audit-entry.ts';
import { parseWorkspaceName } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

/** Renames a workspace. A repeated call changes nothing and adds one more event, for a gateway that missed the first one. */
export async function renameWorkspace(
  deps: Dependencies,
  input: RenameWorkspaceRequest,
  context: CallContext,
): Promise<Workspace> {
  const { workspaceId } = input;
  const name = parseWorkspaceName(input.name);
  return changeWorkspace(deps, input, context, async ({ tx, audit, announce }) => {
    const changed = await deps.workspaces.change(workspaceId, { name }, tx);
    if (!changed) throw noSuchWorkspace();
    const { before, after } = changed;
    if (before.name !== after.name) {
      const detail = changeDetail(before.name, after.name);
      await audit({ action: 'workspace.renamed', subjectId: workspaceId, detail });
    }
    await announce(KeyChange.WORKSPACE_CHANGED, { planSlug: after.planSlug });
    return after;
  });
}
