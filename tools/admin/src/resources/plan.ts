import type { Plan } from '@shopscope/proto';
import { encodeUnits } from './units.ts';

export const planColumns = [
  'slug',
  'limits.rpm',
  'limits.concurrency',
  'limits.enrich_batch_max',
  'limits.freshness_days',
  'limits.history_days',
  'included.lookup_cached',
  'included.lookup_live',
];

/** `slug`, `limits` and `quotas` as in GET /v1/account, `included` as in its period. */
export function encodePlan(plan: Plan) {
  return {
    slug: plan.slug,
    limits: {
      concurrency: plan.concurrency,
      enrich_batch_max: plan.enrichBatchMax,
      freshness_days: plan.freshnessDays,
      history_days: plan.historyDays,
      live_refreshes_per_period: plan.included?.lookupLive ?? 0,
      rpm: plan.rpm,
    },
    quotas: {
      lists: plan.quotas?.lists ?? 0,
      list_stores: plan.quotas?.listStores ?? 0,
      watchlists: plan.quotas?.watchlists ?? 0,
      watched_stores: plan.quotas?.watchedStores ?? 0,
      webhooks: plan.quotas?.webhooks ?? 0,
    },
    included: encodeUnits(plan.included),
  };
}
