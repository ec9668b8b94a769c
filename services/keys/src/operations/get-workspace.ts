import { AppError } from '@shopscope/errors';
import type { Plan } from '../domain/plan.ts';
import { givenId } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { CallContext, Dependencies } from './dependencies.ts';

export async function getWorkspace(
  deps: Dependencies,
  workspaceId: string,
  context: CallContext,
): Promise<{ workspace: Workspace; plan: Plan }> {
  givenId('workspace_id', workspaceId, 'ws');
  const workspace = await deps.workspaces.find(workspaceId, context.remainingMs);
  if (!workspace) throw noSuchWorkspace();
  const plan = await deps.plans.find(workspace.planSlug, context.remainingMs);
  if (!plan) throw new Error(`workspace ${workspaceId} has no plan`);
  return { workspace, plan };
}

export function noSuchWorkspace(): AppError {
  return new AppError('not_found', 'There is no such workspace.');
}
