import { dayMs } from '@shopscope/clock';
import { asksForChanges, type StoreQuery } from '../query.ts';
import { type Day, dayOf } from './days.ts';

/** The days that `dropped` and `moved` cover, as far as the plan reaches. */
export interface HistoryWindow {
  from: Day;
  /** The plan does not reach as far back as the request. */
  isTruncatedByPlan: boolean;
}

/**
 * Returns undefined for a query without `dropped` and `moved`. A range without a beginning asks for everything. The first day is the later one of
 * the request and the plan.
 */
export function historyWindowOf(
  query: StoreQuery,
  { nowMs, historyDays }: { nowMs: number; historyDays: number },
): HistoryWindow | undefined {
  if (!asksForChanges(query)) return undefined;
  const { dropped, moved } = query.where;
  const asked = Math.min(...[...dropped, ...(moved ? [moved] : [])].map(({ effective }) => effective?.from ?? 0));
  const reached = dayOf(nowMs - historyDays * dayMs);
  return { from: Math.max(asked, reached), isTruncatedByPlan: asked < reached };
}
