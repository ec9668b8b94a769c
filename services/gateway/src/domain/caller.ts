import type { Key, Plan, Workspace } from '@shopscope/proto';
import { noUnits } from './units.ts';

/** The owner of a verified API key, with its plan. */
export interface Caller {
  keyId: string;
  label: string;
  prefix: string;
  environment: string;
  scopes: readonly string[];
  /** Wall time; undefined when the key does not expire. */
  expiresAtMs: number | undefined;
  workspaceId: string;
  workspaceName: string;
  plan: CallerPlan;
}

export type CallerPlan = Omit<Plan, 'included'> & { included: NonNullable<Plan['included']> };

export function callerOf(key: Key, workspace: Workspace, plan: Plan): Caller {
  return {
    keyId: key.id,
    label: key.label,
    prefix: key.prefix,
    environment: key.environment,
    scopes: key.scopes,
    expiresAtMs: key.expiresAtMs,
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    plan: { ...plan, included: plan.included ?? noUnits },
  };
}

/** Expiry is checked at each use, also for a cached key. */
export function isExpired(caller: Pick<Caller, 'expiresAtMs'>, nowMs: number): boolean {
  return caller.expiresAtMs !== undefined && nowMs >= caller.expiresAtMs;
}
