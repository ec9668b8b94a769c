import type { RouterContextProvider } from 'react-router';
import { contextOf, load, loadPart, workspaceVisit } from '../../app/pages/server.ts';
import type { UnitCounts } from '../domain/units.ts';

/** What a page says before somebody spends units. A part that cannot be read is absent. */
export interface Allowance {
  left?: UnitCounts | undefined;
  included?: UnitCounts | undefined;
  freshnessDays?: number | undefined;
  enrichBatchMax?: number | undefined;
  endMs: number;
}

export async function loadAllowance(context: Readonly<RouterContextProvider>): Promise<Allowance> {
  const { usage } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const shown = await load(context, async () => usage.period(null));
  const [plan, totals] = await Promise.all([
    loadPart(context, usage.plan(visit)),
    loadPart(context, usage.totals(visit, shown)),
  ]);
  const { included, freshnessDays, enrichBatchMax } = plan.value ?? {};
  return {
    left: included && totals.value && leftOf(included, totals.value),
    included,
    freshnessDays,
    enrichBatchMax,
    endMs: totals.value?.period.endMs ?? shown.endMs,
  };
}

/** Units of requests in progress are taken from the allowance. */
function leftOf(included: UnitCounts, { used, reserved }: { used: UnitCounts; reserved: UnitCounts }): UnitCounts {
  const left = (unit: keyof UnitCounts) => Math.max(0, included[unit] - used[unit] - reserved[unit]);
  return {
    lookup_cached: left('lookup_cached'),
    lookup_live: left('lookup_live'),
    history_query: left('history_query'),
    refresh_requested: left('refresh_requested'),
  };
}
