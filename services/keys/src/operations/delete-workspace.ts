import type { CallContext } from '@shopscope/grpc';
import { type DeleteWorkspaceRequest, KeyChange } from '@shopscope/proto';
import type { Audited } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

/**
 * Purpose: revokes every key of a workspace and hides the workspace. Its audit log stays. Returns the number of revoked keys.
 * Concurrency: a creation of a key also changes the document of the workspace. One of the two transactions is repeated, so that no key
 * outlives the workspace. A repeated call changes nothing and adds one more event, for a service that missed the first one.
 * Failure: any write fails -> the workspace and all its keys do not change.
 * Bounds: at most 500 keys and the dashboard's key, each with one audit entry and one event, all in one transaction of some ten commands.
 */
export async function deleteWorkspace(
  deps: Dependencies,
  input: DeleteWorkspaceRequest,
  context: CallContext,
): Promise<number> {
  const { workspaceId } = input;
  return changeWorkspace(deps, input, context, async ({ tx, at, by, audit, announce, announceEach }) => {
    const deleted = await deps.workspaces.delete(workspaceId, at, tx);
    if (!deleted) throw noSuchWorkspace();
    const { workspace, changed } = deleted;
    const revoked = changed ? await deps.keys.revokeAll(workspaceId, { at, by: by.actor }, tx) : [];
    if (changed) {
      const revocations = revoked.map(({ id, label }): Audited => {
        return { action: 'key.revoked', subjectId: id, detail: label };
      });
      await audit(...revocations, { action: 'workspace.deleted', subjectId: workspaceId, detail: workspace.name });
      await announceEach(
        KeyChange.KEY_REVOKED,
        revoked.map(({ id }) => ({ keyId: id })),
      );
    }
    await announce(KeyChange.WORKSPACE_DELETED, { planSlug: workspace.planSlug });
    return revoked.length;
  });
}
