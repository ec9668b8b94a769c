import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Plan } from '../domain/plan.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { Dependencies } from './dependencies.ts';

export async function getWorkspace(
  deps: Dependencies,
  workspaceId: string,
  caller: CallContext,
): Promise<{ workspace: Workspace; plan: Plan }> {
  const workspace = await deps.workspaces.find(workspaceId, caller.deadline.timeoutMs());
  if (!workspace) throw noSuchWorkspace();
  const plan = await deps.plans.find(workspace.planSlug, caller.deadline.timeoutMs());
  if (!plan) throw new Error(`workspace ${workspaceId} has no plan`);
  return { workspace, plan };
}

export function noSuchWorkspace(): AppError {
  return new AppError('not_found', 'There is no such workspace.');
}
