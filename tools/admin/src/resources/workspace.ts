import type { Plan, Workspace } from '@shopscope/proto';
import { encodeTimestamp } from './encode-timestamp.ts';
import { encodePlan } from './plan.ts';

export const workspaceColumns = ['id', 'name', 'plan_slug', 'status', 'created_at'];

export function encodeWorkspace(workspace: Workspace) {
  return {
    id: workspace.id,
    name: workspace.name,
    plan_slug: workspace.planSlug,
    status: workspace.suspendedAtMs === undefined ? 'active' : 'suspended',
    created_at: encodeTimestamp(workspace.createdAtMs),
    suspended_at: encodeTimestamp(workspace.suspendedAtMs),
  };
}

export function encodeWorkspaceWithPlan(workspace: Workspace, plan: Plan) {
  return { ...encodeWorkspace(workspace), plan: encodePlan(plan) };
}
