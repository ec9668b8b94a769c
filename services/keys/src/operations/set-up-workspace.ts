import type { CallContext } from '@shopscope/grpc';
import type { Key } from '../domain/key.ts';
import type { Workspace } from '../domain/workspace.ts';
import { insertKey, newKey } from './create-key.ts';
import { insertWorkspace, newWorkspace } from './create-workspace.ts';
import type { Dependencies } from './dependencies.ts';

export interface SetUpWorkspace {
  name: string;
  planSlug: string;
  label: string;
  preset: string;
  scopes: readonly string[];
  actor: string;
}

export type SetUp =
  | { created: true; workspace: Workspace; key: Key; secret: string }
  | { created: false; workspace: Workspace };

/**
 * The first workspace and its first key, for installations that set themselves up: both or neither, and nothing when a
 * workspace of that name exists. Two calls at once meet at the plan's document, which both change: the second is
 * repeated and finds the workspace. A lost answer loses the secret -> the operator creates another key.
 */
export async function setUpWorkspace(deps: Dependencies, input: SetUpWorkspace, caller: CallContext): Promise<SetUp> {
  const workspace = newWorkspace(deps, input);
  const made = newKey(deps, { ...input, workspaceId: workspace.id, expiresAtMs: undefined });
  return deps.inTransaction(async (session): Promise<SetUp> => {
    const existing = await deps.workspaces.findByName(workspace.name, session);
    if (existing) return { created: false, workspace: existing };
    await insertWorkspace(deps, workspace, input.actor, session, caller);
    await insertKey(deps, made, input.actor, session, caller);
    return { created: true, workspace, key: made.key, secret: made.secret };
  }, caller.deadline);
}
