import { invalidField } from '@shopscope/errors';
import type * as proto from '@shopscope/proto';

/** If freshnessDays is 0, every profile is stale. */
export type Plan = Omit<proto.Plan, 'included' | 'quotas'> & { included: proto.Units; quotas: proto.Quotas };

const plan = (
  slug: string,
  [rpm, concurrency, enrichBatchMax, freshnessDays, historyDays]: [number, number, number, number, number],
  [lookupLive, lookupCached, historyQuery, refreshRequested]: [number, number, number, number],
  [lists, listStores, watchlists, watchedStores, webhooks]: [number, number, number, number, number],
): Plan => ({
  slug,
  rpm,
  concurrency,
  enrichBatchMax,
  freshnessDays,
  historyDays,
  included: { lookupCached, lookupLive, historyQuery, refreshRequested },
  quotas: { lists, listStores, watchlists, watchedStores, webhooks },
});

const free = plan('free', [30, 2, 10, 30, 30], [25, 1_000, 50, 25], [3, 1_000, 1, 100, 2]);

/** A new installation starts with these plans. Operators can change and delete them, and a restart does not undo this. */
export const initialPlans: readonly Plan[] = [
  free,
  plan('starter', [120, 5, 25, 14, 90], [500, 25_000, 1_000, 500], [20, 25_000, 10, 2_500, 5]),
  plan('growth', [600, 20, 100, 7, 365], [5_000, 250_000, 25_000, 5_000], [100, 250_000, 50, 25_000, 20]),
  plan('scale', [3_000, 50, 100, 3, 1_825], [50_000, 2_500_000, 250_000, 50_000], [1_000, 2_500_000, 500, 250_000, 50]),
];

/** The quotas of a plan that has none of its own: those of the initial plan of its slug, else of free. */
export const defaultQuotas = (slug: string): proto.Quotas =>
  (initialPlans.find((initial) => initial.slug === slug) ?? free).quotas;

/** The largest number of plans. There is a limit, because ListPlans returns all of them in one response. */
export const maxPlans = 200;

type Changes<T> = { [Member in keyof T]?: T[Member] | undefined };

/** The members of a plan that an operator changes. Absent members do not change. */
export type PlanChanges = Changes<Omit<Plan, 'slug' | 'included' | 'quotas'>> & {
  included?: Changes<proto.Units>;
  quotas?: Changes<proto.Quotas>;
};

/** The maximum of plan.limits.enrich_batch_max in the contract. */
const enrichBatchLimit = 100;
const largestAllowance = 1_000_000_000_000;
const largestQuota = 1_000_000_000;

/** Throws `invalid_request` for a malformed slug. */
export function checkSlug(slug: string): void {
  if (/^[a-z][a-z0-9_-]{1,39}$/.test(slug)) return;
  throw invalidField('slug', 'must be 2 to 40 of a-z, 0-9, - and _, beginning with a letter');
}

/** Throws `invalid_request` with the name of the field if a value is out of range. */
export function checkPlan(plan: Plan): Plan {
  checkSlug(plan.slug);
  const within = (field: string, value: number, min: number, max: number) => {
    if (!Number.isSafeInteger(value) || value < min || value > max) {
      throw invalidField(field, `must be a whole number from ${min} to ${max}`);
    }
  };
  within('rpm', plan.rpm, 1, 1_000_000);
  within('concurrency', plan.concurrency, 1, 10_000);
  within('enrich_batch_max', plan.enrichBatchMax, 1, enrichBatchLimit);
  within('freshness_days', plan.freshnessDays, 0, 3_650);
  within('history_days', plan.historyDays, 0, 3_650);
  within('included.lookup_cached', plan.included.lookupCached, 0, largestAllowance);
  within('included.lookup_live', plan.included.lookupLive, 0, largestAllowance);
  within('included.history_query', plan.included.historyQuery, 0, largestAllowance);
  within('included.refresh_requested', plan.included.refreshRequested, 0, largestAllowance);
  within('quotas.lists', plan.quotas.lists, 0, largestQuota);
  within('quotas.list_stores', plan.quotas.listStores, 0, largestQuota);
  within('quotas.watchlists', plan.quotas.watchlists, 0, largestQuota);
  within('quotas.watched_stores', plan.quotas.watchedStores, 0, largestQuota);
  within('quotas.webhooks', plan.quotas.webhooks, 0, largestQuota);
  return plan;
}
