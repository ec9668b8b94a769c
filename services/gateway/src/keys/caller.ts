import type * as Charging from '@shopscope/charging';
import { type Key, KeyUse, noUnits, type Plan, type Workspace } from '@shopscope/proto';

/**
 * Who uses a key. Each listener accepts the keys of one use: the public one keys of people's systems, the internal one the
 * keys of the dashboard.
 */
export type CallerUse = 'api' | 'dashboard';

/** The verified API key of a request, its workspace and the plan of the workspace. */
export interface Caller {
  keyId: string;
  keyLabel: string;
  keyPrefix: string;
  keyEnvironment: string;
  use: CallerUse;
  scopes: readonly string[];
  /** Unix time in milliseconds. Undefined: the key does not expire. */
  expiresAtMs: number | undefined;
  workspaceId: string;
  workspaceName: string;
  plan: CallerPlan;
}

export type CallerRequest = Charging.CallerRequest<Caller>;
export type BillableRequest = Charging.BillableRequest<Caller>;

export type CallerPlan = Omit<Plan, 'included'> & { included: NonNullable<Plan['included']> };

export function callerOf(key: Key, workspace: Workspace, plan: Plan): Caller {
  return {
    keyId: key.id,
    keyLabel: key.label,
    keyPrefix: key.prefix,
    keyEnvironment: key.environment,
    use: key.use === KeyUse.DASHBOARD ? 'dashboard' : 'api',
    scopes: key.scopes,
    expiresAtMs: key.expiresAtMs,
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    plan: { ...plan, included: plan.included ?? noUnits },
  };
}

/** True from `expiresAtMs` on. Authentication checks it for every request, also for a cached key. */
export function isExpired(caller: Pick<Caller, 'expiresAtMs'>, nowMs: number): boolean {
  return caller.expiresAtMs !== undefined && nowMs >= caller.expiresAtMs;
}
