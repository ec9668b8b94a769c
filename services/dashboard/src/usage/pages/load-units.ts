import { contextOf, load, loadPart, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import type { UnitCounts } from '../domain/units.ts';

/** The units of a period, in total and by day, and the plan. Default: the current period. A part that cannot be read is absent. */
export async function loadUnits(context: PageContext, periodName: string | null = null) {
  const { usage } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const shown = await load(context, async () => usage.period(periodName));
  const [totals, days, plan] = await Promise.all([
    loadPart(context, usage.totals(visit, shown)),
    loadPart(context, usage.days(visit, shown)),
    loadPart(context, usage.plan(visit)),
  ]);
  const { isCurrent } = shown;
  // An earlier period may have had another plan.
  const included = isCurrent ? plan.value?.included : undefined;
  return {
    totals: totals.value,
    days: days.value,
    plan: plan.value,
    period: { ...shown, ...totals.value?.period },
    /** The units that the bars of the allowance show. */
    counts: {
      used: totals.value?.used,
      reserved: isCurrent ? totals.value?.reserved : undefined,
      included,
      paces: isCurrent && totals.value && days.value ? usage.paces(totals.value, days.value, included) : {},
    },
  };
}

export type Allowance = Awaited<ReturnType<typeof loadAllowance>>;

/** The data that a page shows before a person spends units. A part that cannot be read is absent. */
export async function loadAllowance(context: PageContext) {
  const { usage } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const shown = await load(context, async () => usage.period(null));
  const [plan, totals] = await Promise.all([
    loadPart(context, usage.plan(visit)),
    loadPart(context, usage.totals(visit, shown)),
  ]);
  const included = plan.value?.included;
  return {
    left: included && totals.value && leftOf(included, totals.value),
    included,
    freshnessDays: plan.value?.freshnessDays,
    endMs: totals.value?.period.endMs ?? shown.endMs,
  };
}

/** Units of requests in progress are already taken from the allowance. */
function leftOf(included: UnitCounts, { used, reserved }: { used: UnitCounts; reserved: UnitCounts }): UnitCounts {
  const left = (unit: keyof UnitCounts) => Math.max(0, included[unit] - used[unit] - reserved[unit]);
  return {
    lookup_cached: left('lookup_cached'),
    lookup_live: left('lookup_live'),
    history_query: left('history_query'),
    refresh_requested: left('refresh_requested'),
  };
}
