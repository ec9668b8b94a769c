import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type RenameWorkspaceRequest } from '@shopscope/proto';
import { changeDetail } from '../domain/audit-entry.ts';
import { givenId, givenWorkspaceName } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { givenBy, recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

/** A repeated call changes nothing and adds one more event, for a gateway that missed the first. */
export async function renameWorkspace(
  deps: Dependencies,
  input: RenameWorkspaceRequest,
  context: CallContext,
): Promise<Workspace> {
  const { workspaceId } = input;
  givenId('workspace_id', workspaceId, 'ws');
  const name = givenWorkspaceName(input.name);
  const by = { ...givenBy(input), workspaceId };
  const atMs = deps.clock.now();
  return changeWorkspace(deps, workspaceId, context, async (tx) => {
    const changed = await deps.workspaces.change(workspaceId, { name }, tx);
    if (!changed) throw noSuchWorkspace();
    const { before, after } = changed;
    if (before.name !== after.name) {
      const detail = changeDetail(before.name, after.name);
      await recordAudit(deps, tx, by, { action: 'workspace.renamed', subjectId: workspaceId, detail });
    }
    const event = { change: KeyChange.WORKSPACE_CHANGED, workspaceId, planSlug: after.planSlug, atMs };
    await deps.appendEvents(tx, context.origin, event);
    return after;
  });
}
