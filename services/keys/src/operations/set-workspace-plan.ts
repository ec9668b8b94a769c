import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
import { changeDetail } from '../domain/audit-entry.ts';
import { givenId } from '../domain/text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { assignPlan } from './assign-plan.ts';
import { recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
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
  const { workspaceId, planSlug, actor } = input;
  givenId('workspace_id', workspaceId, 'ws');
  return changeWorkspace(deps, workspaceId, context, async (tx) => {
    await assignPlan(deps, planSlug, tx, context);
    const changed = await deps.workspaces.change(workspaceId, { planSlug }, tx);
    if (!changed) throw noSuchWorkspace();
    const { before, after } = changed;
    const detail = changeDetail(before.planSlug, planSlug);
    await recordAudit(deps, tx, { workspaceId, actor }, { action: 'workspace.plan_set', subjectId: planSlug, detail });
    const event = { change: KeyChange.WORKSPACE_CHANGED, workspaceId, keyId: '', planSlug, atMs: deps.clock.now() };
    await deps.appendEvent(tx, event, context.origin);
    return after;
  });
}
