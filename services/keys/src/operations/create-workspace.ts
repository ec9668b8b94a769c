import type { CallContext } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import type { ClientSession } from 'mongodb';
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
  caller: CallContext,
): Promise<Workspace> {
  const workspace = newWorkspace(deps, input);
  await deps.inTransaction(
    (session) => insertWorkspace(deps, workspace, input.actor, session, caller),
    caller.deadline,
  );
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
  session: ClientSession,
  caller: CallContext,
): Promise<void> {
  await assignPlan(deps, workspace.planSlug, session, caller);
  await deps.workspaces.insert(workspace, session);
  await recordAudit(deps, session, {
    workspaceId: workspace.id,
    actor,
    action: 'workspace.created',
    subjectId: workspace.id,
  });
}
