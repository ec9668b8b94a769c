import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type SetWorkspacePlanRequest } from '@shopscope/proto';
import { changeDetail } from '../domain/audit-entry.ts';
import type { Workspace } from '../domain/workspace.ts';
import { assignPlan } from './assign-plan.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

export async function setWorkspacePlan(
  deps: Dependencies,
  input: SetWorkspacePlanRequest,
  context: CallContext,
): Promise<Workspace> {
  const { workspaceId, planSlug } = input;
  return changeWorkspace(deps, input, context, async ({ tx, audit, announce }) => {
    await assignPlan(deps, planSlug, tx, context);
    const changed = await deps.workspaces.change(workspaceId, { planSlug }, tx);
    if (!changed) throw noSuchWorkspace();
    const { before, after } = changed;
    const detail = changeDetail(before.planSlug, planSlug);
    await audit({ action: 'workspace.plan_set', subjectId: planSlug, detail });
    await announce(KeyChange.WORKSPACE_CHANGED, { planSlug });
    return after;
  });
}
