import { contractUnitsOf } from '@shopscope/charging';
import { periodAt } from '@shopscope/clock';
import type { Balance } from '@shopscope/proto';
import type { CallerPlan, CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';

/** Returns the document of GET /v1/account: the key of the request, its plan and the current period. */
export async function accountOf(
  { metering, balances }: Pick<Dependencies, 'metering' | 'balances'>,
  { caller, origin, deadline }: CallerRequest,
): Promise<object> {
  const balance = await metering.getBalance(caller.workspaceId, origin, deadline);
  balances.put(caller.workspaceId, balance);
  const { plan } = caller;
  return {
    key: {
      id: caller.keyId,
      label: caller.keyLabel,
      prefix: caller.keyPrefix,
      environment: caller.keyEnvironment,
      scopes: caller.scopes,
      expires_at: caller.expiresAtMs === undefined ? null : new Date(caller.expiresAtMs).toISOString(),
    },
    workspace: { id: caller.workspaceId, name: caller.workspaceName },
    plan: {
      slug: plan.slug,
      limits: {
        concurrency: plan.concurrency,
        enrich_batch_max: plan.enrichBatchMax,
        freshness_days: plan.freshnessDays,
        history_days: plan.historyDays,
        live_refreshes_per_period: plan.included.lookupLive,
        rpm: plan.rpm,
      },
      quotas: {
        lists: plan.quotas.lists,
        list_stores: plan.quotas.listStores,
        watchlists: plan.quotas.watchlists,
        watched_stores: plan.quotas.watchedStores,
        webhooks: plan.quotas.webhooks,
      },
    },
    period: periodOf(plan, balance),
  };
}

/** Returns the member `period` of account and usage. */
export function periodOf(plan: CallerPlan, balance: Balance): object {
  const { startMs, endMs } = periodAt(balance.periodStartMs);
  return {
    starts_at: new Date(startMs).toISOString(),
    ends_at: new Date(endMs).toISOString(),
    included: contractUnitsOf(plan.included),
    used: contractUnitsOf(balance.used),
  };
}
