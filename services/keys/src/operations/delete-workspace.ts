import type { CallContext } from '@shopscope/grpc';
import { type DeleteWorkspaceRequest, KeyChange } from '@shopscope/proto';
import { givenId } from '../domain/text.ts';
import { type Audited, givenBy, recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

/**
 * Purpose: revokes every key of a workspace and hides the workspace. Its audit log stays. Returns the number of revoked keys.
 * Concurrency: a creation of a key changes the workspace's document too; one of the two transactions is repeated, so that no key
 * outlives the workspace. A repeated call changes nothing and adds one more event, for a gateway that missed the first.
 * Failure: any write fails -> the workspace and all its keys stay as they were.
 * Bounds: at most 500 keys and the dashboard's, each with one audit entry and one event, all in one transaction of some ten commands.
 */
export async function deleteWorkspace(
  deps: Dependencies,
  input: DeleteWorkspaceRequest,
  context: CallContext,
): Promise<number> {
  const { workspaceId } = input;
  givenId('workspace_id', workspaceId, 'ws');
  const by = { ...givenBy(input), workspaceId };
  const atMs = deps.clock.now();
  const at = new Date(atMs);
  return changeWorkspace(deps, workspaceId, context, async (tx) => {
    const deleted = await deps.workspaces.delete(workspaceId, at, tx);
    if (!deleted) throw noSuchWorkspace();
    const { workspace, changed } = deleted;
    const { planSlug } = workspace;
    const evictAll = { change: KeyChange.WORKSPACE_CHANGED, workspaceId, planSlug, atMs };
    if (!changed) {
      await deps.appendEvents(tx, context.origin, evictAll);
      return 0;
    }
    const revoked = await deps.keys.revokeAll(workspaceId, { at, by: by.actor }, tx);
    const revocations = revoked.map(({ id, label }): Audited => {
      return { action: 'key.revoked', subjectId: id, detail: label };
    });
    const deletion: Audited = { action: 'workspace.deleted', subjectId: workspaceId, detail: workspace.name };
    await recordAudit(deps, tx, by, ...revocations, deletion);
    const evictions = revoked.map(({ id }) => ({ change: KeyChange.KEY_REVOKED, workspaceId, keyId: id, atMs }));
    await deps.appendEvents(tx, context.origin, ...evictions, evictAll);
    return revoked.length;
  });
}
