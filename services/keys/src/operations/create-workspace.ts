import { invalidField } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import { givenName } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { recordAudit } from './audit.ts';
import type { Caller, Dependencies } from './dependencies.ts';

export interface CreateWorkspace {
  name: string;
  planSlug: string;
  actor: string;
}

export async function createWorkspace(deps: Dependencies, input: CreateWorkspace, caller: Caller): Promise<Workspace> {
  const name = givenName('name', input.name, 200);
  if (!(await deps.plans.find(input.planSlug, caller.remainingMs))) throw invalidField('plan_slug', 'no such plan');
  const nowMs = deps.clock.now();
  const workspace = { id: newId('ws', nowMs), name, planSlug: input.planSlug, createdAt: new Date(nowMs) };
  await deps.inTransaction(async (session) => {
    await deps.workspaces.insert(workspace, session);
    await recordAudit(deps, session, {
      workspaceId: workspace.id,
      actor: input.actor,
      action: 'workspace.created',
      subjectId: workspace.id,
    });
  }, caller.remainingMs);
  return workspace;
}
