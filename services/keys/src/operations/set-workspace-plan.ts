import type { CallContext } from '@shopscope/grpc';
import { KeyChange, type SetWorkspacePlanRequest } from '@shopscope/proto';
import { changeDetail } from '../domain/audit-entry.ts';
import { givenId } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { assignPlan } from './assign-plan.ts';
import { recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

export async function setWorkspacePlan(
  deps: Dependencies,
  { workspaceId, planSlug, actor }: SetWorkspacePlanRequest,
  context: CallContext,
): Promise<Workspace> {
  givenId('workspace_id', workspaceId, 'ws');
  return changeWorkspace(deps, workspaceId, context, async (tx) => {
    await assignPlan(deps, planSlug, tx, context);
    const changed = await deps.workspaces.change(workspaceId, { planSlug }, tx);
    if (!changed) throw noSuchWorkspace();
    const { before, after } = changed;
    const detail = changeDetail(before.planSlug, planSlug);
    await recordAudit(deps, tx, { workspaceId, actor }, { action: 'workspace.plan_set', subjectId: planSlug, detail });
    const event = { change: KeyChange.WORKSPACE_CHANGED, workspaceId, planSlug, atMs: deps.clock.now() };
    await deps.appendEvents(tx, context.origin, event);
    return after;
  });
}
