import type { CallContext } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import type { CreateWorkspaceRequest } from '@shopscope/proto';
import { parseWorkspaceName } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { assignPlan } from './assign-plan.ts';
import { type Change, changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';

export async function createWorkspace(
  deps: Dependencies,
  input: CreateWorkspaceRequest,
  context: CallContext,
): Promise<Workspace> {
  const workspace = newWorkspace(deps, input);
  const by = { ...input, workspaceId: workspace.id };
  await changeWorkspace(deps, by, context, (change) => insertWorkspace(deps, workspace, change));
  return workspace;
}

export function newWorkspace(
  deps: Pick<Dependencies, 'clock'>,
  { name, planSlug }: Pick<CreateWorkspaceRequest, 'name' | 'planSlug'>,
): Workspace {
  const nowMs = deps.clock.now();
  return {
    id: newId('ws'),
    name: parseWorkspaceName(name),
    planSlug,
    createdAt: new Date(nowMs),
    suspendedAt: null,
  };
}

export async function insertWorkspace(
  deps: Dependencies,
  workspace: Workspace,
  { tx, context, audit }: Change,
): Promise<void> {
  await assignPlan(deps, workspace.planSlug, tx, context);
  await deps.workspaces.insert(workspace, tx);
  const { id, name } = workspace;
  await audit({ action: 'workspace.created', subjectId: id, detail: name });
}
