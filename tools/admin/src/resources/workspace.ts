import type { Plan, Workspace } from '@shopscope/proto';
import { encodePlan } from './plan.ts';
import { timestamp } from './timestamp.ts';

export const workspaceColumns = ['id', 'name', 'plan_slug', 'status', 'created_at'];

export function encodeWorkspace(workspace: Workspace) {
  return {
    id: workspace.id,
    name: workspace.name,
    plan_slug: workspace.planSlug,
    status: workspace.suspendedAtMs === undefined ? 'active' : 'suspended',
    created_at: timestamp(workspace.createdAtMs),
    suspended_at: timestamp(workspace.suspendedAtMs),
  };
}

export function encodeWorkspaceWithPlan(workspace: Workspace, plan: Plan) {
  return { ...encodeWorkspace(workspace), plan: encodePlan(plan) };
}
