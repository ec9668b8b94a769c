import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
import { givenId } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { assignPlan } from './assign-plan.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

export interface SetWorkspacePlan {
  workspaceId: string;
  planSlug: string;
  actor: string;
}

export async function setWorkspacePlan(
  deps: Dependencies,
  input: SetWorkspacePlan,
  context: CallContext,
): Promise<Workspace> {
  givenId('workspace_id', input.workspaceId, 'ws');
  return deps.transact(async (tx) => {
    await assignPlan(deps, input.planSlug, tx, context);
    const workspace = await deps.workspaces.setPlan(input.workspaceId, input.planSlug, tx);
    if (!workspace) throw noSuchWorkspace();
    await recordAudit(deps, tx, {
      workspaceId: workspace.id,
      actor: input.actor,
      action: 'workspace.plan_set',
      subjectId: input.planSlug,
    });
    await deps.appendEvent(
      tx,
      {
        change: KeyChange.WORKSPACE_CHANGED,
        workspaceId: workspace.id,
        keyId: '',
        planSlug: input.planSlug,
        atMs: deps.clock.now(),
      },
      context.origin,
    );
    return workspace;
  }, context);
}
