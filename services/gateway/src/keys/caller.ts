import type * as Charging from '@shopscope/charging';
import { type Environment, isEnvironment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { type Key, KeyUse, noUnits, type Plan, Quotas, type Workspace } from '@shopscope/proto';

/**
 * The use of a key. Each listener accepts the keys of one use: the public listener accepts the keys of people's systems, and the
 * internal one the keys of the dashboard.
 */
export type CallerUse = 'api' | 'dashboard';

export type Caller = ReturnType<typeof callerOf>;
export type CallerRequest = Charging.CallerRequest<Caller>;
export type BillableRequest = Charging.BillableRequest<Caller>;

export type CallerPlan = Caller['plan'];

/** The verified API key of a request, its workspace and the plan of the workspace. Throws `internal` if the environment is unknown. */
export function callerOf(key: Key, workspace: Workspace, { included = noUnits, quotas, ...plan }: Plan) {
  const use: CallerUse = key.use === KeyUse.DASHBOARD ? 'dashboard' : 'api';
  return {
    keyId: key.id,
    keyLabel: key.label,
    keyPrefix: key.prefix,
    keyEnvironment: environmentOf(key),
    use,
    scopes: key.scopes as readonly string[],
    /** Unix time in milliseconds. Undefined if the key does not expire. */
    expiresAtMs: key.expiresAtMs,
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    plan: { ...plan, included, quotas: Quotas.create(quotas) },
  };
}

function environmentOf({ id, environment }: Key): Environment {
  if (isEnvironment(environment)) return environment;
  throw new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    internal: `key ${id} has the unknown environment "${environment}"`,
  });
}

/** Whether the key has expired: true from `expiresAtMs` on. Authentication checks this for every request, even for a cached key. */
export function isExpired(caller: Pick<Caller, 'expiresAtMs'>, nowMs: number): boolean {
  return caller.expiresAtMs !== undefined && nowMs >= caller.expiresAtMs;
}
