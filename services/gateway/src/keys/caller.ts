import type * as Charging from '@shopscope/charging';
import { type Key, KeyUse, noUnits, type Plan, type Workspace } from '@shopscope/proto';

/**
 * Who uses a key. Each listener accepts the keys of one use: the public one keys of people's systems, the internal one the
 * keys of the dashboard.
 */
export type CallerUse = 'api' | 'dashboard';

export type Caller = ReturnType<typeof callerOf>;
export type CallerRequest = Charging.CallerRequest<Caller>;
export type BillableRequest = Charging.BillableRequest<Caller>;

export type CallerPlan = Caller['plan'];

/** The verified API key of a request, its workspace and the plan of the workspace. */
export function callerOf(key: Key, workspace: Workspace, { included = noUnits, ...plan }: Plan) {
  const use: CallerUse = key.use === KeyUse.DASHBOARD ? 'dashboard' : 'api';
  return {
    keyId: key.id,
    keyLabel: key.label,
    keyPrefix: key.prefix,
    keyEnvironment: key.environment,
    use,
    scopes: key.scopes as readonly string[],
    /** Unix time in milliseconds. Undefined: the key does not expire. */
    expiresAtMs: key.expiresAtMs,
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    plan: { ...plan, included },
  };
}

/** True from `expiresAtMs` on. Authentication checks it for every request, also for a cached key. */
export function isExpired(caller: Pick<Caller, 'expiresAtMs'>, nowMs: number): boolean {
  return caller.expiresAtMs !== undefined && nowMs >= caller.expiresAtMs;
}
