import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { parseId } from '@shopscope/text';
import type { Plan } from '../domain/plan.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { Dependencies } from './dependencies.ts';

export async function getWorkspace(
  deps: Dependencies,
  workspaceId: string,
  context: CallContext,
): Promise<{ workspace: Workspace; plan: Plan }> {
  parseId('workspace_id', workspaceId, 'ws');
  const found = await findWithPlan(deps, workspaceId, context);
  if (!found) throw noSuchWorkspace();
  return found;
}

/** The number of reads of a workspace whose plan is missing. */
const maxReads = 3;

/**
 * Returns the workspace with its plan, or null if there is no such workspace.
 *
 * Concurrency: the workspace gets another plan, and its old plan is deleted, between the two reads -> both are read again.
 * Bounds: {@link maxReads} reads, then an error is thrown.
 */
export async function findWithPlan(
  deps: Pick<Dependencies, 'workspaces' | 'plans'>,
  workspaceId: string,
  context: CallContext,
): Promise<{ workspace: Workspace; plan: Plan } | null> {
  for (let read = 1; read <= maxReads; read++) {
    const workspace = await deps.workspaces.find(workspaceId, context.deadline.timeoutMs());
    if (!workspace) return null;
    const plan = await deps.plans.find(workspace.planSlug, context.deadline.timeoutMs());
    if (plan) return { workspace, plan };
  }
  throw new Error(`workspace ${workspaceId} has no plan`);
}

export function noSuchWorkspace(): AppError {
  return new AppError('not_found', 'There is no such workspace.');
}
