import type { CallContext } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import { givenName } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { assignPlan } from './assign-plan.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';

export interface CreateWorkspace {
  name: string;
  planSlug: string;
  actor: string;
}

export async function createWorkspace(
  deps: Dependencies,
  input: CreateWorkspace,
  context: CallContext,
): Promise<Workspace> {
  const workspace = newWorkspace(deps, input);
  await deps.transact((tx) => insertWorkspace(deps, workspace, input.actor, tx, context), context);
  return workspace;
}

export function newWorkspace(
  deps: Pick<Dependencies, 'clock'>,
  { name, planSlug }: Pick<CreateWorkspace, 'name' | 'planSlug'>,
): Workspace {
  const nowMs = deps.clock.now();
  return {
    id: newId('ws', nowMs),
    name: givenName('name', name, 200),
    planSlug,
    createdAt: new Date(nowMs),
    suspendedAt: null,
  };
}

export async function insertWorkspace(
  deps: Dependencies,
  workspace: Workspace,
  actor: string,
  tx: Tx,
  context: CallContext,
): Promise<void> {
  await assignPlan(deps, workspace.planSlug, tx, context);
  await deps.workspaces.insert(workspace, tx);
  await recordAudit(deps, tx, {
    workspaceId: workspace.id,
    actor,
    action: 'workspace.created',
    subjectId: workspace.id,
  });
}
