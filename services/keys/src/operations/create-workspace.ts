import type { CallContext } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import type { CreateWorkspaceRequest } from '@shopscope/proto';
import { givenWorkspaceName } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { assignPlan } from './assign-plan.ts';
import { type Actor, recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';

export async function createWorkspace(
  deps: Dependencies,
  input: CreateWorkspaceRequest,
  context: CallContext,
): Promise<Workspace> {
  const workspace = newWorkspace(deps, input);
  await deps.transact((tx) => insertWorkspace(deps, workspace, input, tx, context), context);
  return workspace;
}

export function newWorkspace(
  deps: Pick<Dependencies, 'clock'>,
  { name, planSlug }: Pick<CreateWorkspaceRequest, 'name' | 'planSlug'>,
): Workspace {
  const nowMs = deps.clock.now();
  return {
    id: newId('ws', nowMs),
    name: givenWorkspaceName(name),
    planSlug,
    createdAt: new Date(nowMs),
    suspendedAt: null,
  };
}

export async function insertWorkspace(
  deps: Dependencies,
  workspace: Workspace,
  by: Actor,
  tx: Tx,
  context: CallContext,
): Promise<void> {
  await assignPlan(deps, workspace.planSlug, tx, context);
  await deps.workspaces.insert(workspace, tx);
  const { id, name } = workspace;
  await recordAudit(deps, tx, { ...by, workspaceId: id }, { action: 'workspace.created', subjectId: id, detail: name });
}
