import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
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
  caller: CallContext,
): Promise<Workspace> {
  return deps.inTransaction(async (session) => {
    await assignPlan(deps, input.planSlug, session, caller);
    const workspace = await deps.workspaces.setPlan(input.workspaceId, input.planSlug, session);
    if (!workspace) throw noSuchWorkspace();
    await recordAudit(deps, session, {
      workspaceId: workspace.id,
      actor: input.actor,
      action: 'workspace.plan_set',
      subjectId: input.planSlug,
    });
    await deps.announce(
      session,
      {
        change: KeyChange.WORKSPACE_CHANGED,
        workspaceId: workspace.id,
        keyId: '',
        planSlug: input.planSlug,
        atMs: deps.clock.now(),
      },
      caller.origin,
    );
    return workspace;
  }, caller.deadline);
}
