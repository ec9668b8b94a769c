import * as proto from '@shopscope/proto';
import type { ChainedEntry } from '../../domain/audit-chain.ts';
import { type Key, type KeyState, type KeyUse, keyStateAt } from '../../domain/key.ts';
import { defaultQuotas, type Plan, type PlanChanges } from '../../domain/plan.ts';
import type { Workspace } from '../../domain/workspace.ts';
import type { PepperUse } from '../../operations/list-peppers.ts';

type VerifiedState = KeyState | 'unknown' | 'suspended';

const statusByState: Record<VerifiedState, proto.KeyStatus> = {
  active: proto.KeyStatus.ACTIVE,
  unknown: proto.KeyStatus.UNKNOWN,
  revoked: proto.KeyStatus.REVOKED,
  expired: proto.KeyStatus.EXPIRED,
  suspended: proto.KeyStatus.SUSPENDED,
};

const useByName: Record<KeyUse, proto.KeyUse> = { api: proto.KeyUse.API, dashboard: proto.KeyUse.DASHBOARD };

export const encodeState = (state: VerifiedState): proto.KeyStatus => statusByState[state];

export function encodeKey(key: Key, nowMs: number): proto.Key {
  return {
    id: key.id,
    workspaceId: key.workspaceId,
    label: key.label,
    prefix: key.prefix,
    environment: key.environment,
    scopes: key.scopes,
    createdAtMs: key.createdAt.getTime(),
    createdBy: key.createdBy,
    expiresAtMs: key.expiresAt?.getTime(),
    revokedAtMs: key.revokedAt?.getTime(),
    status: encodeState(keyStateAt(key, nowMs)),
    preset: key.preset,
    createdFrom: key.createdFrom,
    lastUsedAtMs: key.lastUsedAt?.getTime(),
    revokedBy: key.revokedBy,
    use: useByName[key.use],
  };
}

export function encodeWorkspace(workspace: Workspace): proto.Workspace {
  return {
    id: workspace.id,
    name: workspace.name,
    planSlug: workspace.planSlug,
    createdAtMs: workspace.createdAt.getTime(),
    suspendedAtMs: workspace.suspendedAt?.getTime(),
  };
}

export function decodePlan(plan: proto.Plan | undefined): Plan {
  const { included, quotas, ...rest } = plan ?? proto.Plan.fromPartial({});
  return { ...rest, included: proto.unitsOf(included), quotas: quotas ?? defaultQuotas(rest.slug) };
}

/** The members that a request does not name stay undefined. */
export function decodePlanChanges(request: proto.UpdatePlanRequest): {
  slug: string;
  actor: string;
  changes: PlanChanges;
} {
  const { slug, actor, rpm, concurrency, enrichBatchMax, freshnessDays, historyDays, ...others } = request;
  const { lookupCached, lookupLive, historyQuery, refreshRequested, ...quotas } = others;
  const included = { lookupCached, lookupLive, historyQuery, refreshRequested };
  return { slug, actor, changes: { rpm, concurrency, enrichBatchMax, freshnessDays, historyDays, included, quotas } };
}

export const encodeAuditEntry = ({ at, ...entry }: ChainedEntry): proto.AuditEntry => ({
  ...entry,
  atMs: at.getTime(),
});

const pepperStates: Record<PepperUse['state'], proto.PepperState> = {
  current: proto.PepperState.CURRENT,
  retiring: proto.PepperState.RETIRING,
  missing: proto.PepperState.MISSING,
};

export const encodePepper = (pepper: PepperUse): proto.Pepper => ({ ...pepper, state: pepperStates[pepper.state] });
