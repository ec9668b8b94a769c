import type { CallContext } from '@shopscope/grpc';
import type { SetUpWorkspaceRequest } from '@shopscope/proto';
import type { Key } from '../domain/key.ts';
import type { Workspace } from '../domain/workspace.ts';
import { changeWorkspace } from './change-workspace.ts';
import { insertKey, newKey } from './create-key.ts';
import { insertWorkspace, newWorkspace } from './create-workspace.ts';
import type { Dependencies } from './dependencies.ts';

export type SetUp =
  | { created: true; workspace: Workspace; key: Key; secret: string }
  | { created: false; workspace: Workspace };

/**
 * Purpose: creates the first workspace and its first key, for installations that set themselves up.
 * Concurrency: concurrent calls conflict. The second one is repeated, finds the workspace of that name and changes nothing.
 * Failure: a write fails -> neither workspace nor key exists. The response is lost -> the secret is lost; the operator creates another key.
 */
export async function setUpWorkspace(
  deps: Dependencies,
  input: SetUpWorkspaceRequest,
  context: CallContext,
): Promise<SetUp> {
  const workspace = newWorkspace(deps, input);
  const made = newKey(deps, { ...input, workspaceId: workspace.id, expiresAtMs: undefined, actorAddress: '' });
  const by = { actor: input.actor, workspaceId: workspace.id };
  return changeWorkspace(deps, by, context, async (change): Promise<SetUp> => {
    const { tx } = change;
    const existing = await deps.workspaces.findByName(workspace.name, tx);
    if (existing) return { created: false, workspace: existing };
    await deps.workspaces.holdForSetUp(tx);
    await insertWorkspace(deps, workspace, change);
    await insertKey(deps, made, change);
    return { created: true, workspace, key: made.key, secret: made.secret };
  });
}
