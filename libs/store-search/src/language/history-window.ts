import { dayMs } from '@shopscope/clock';
import { asksForChanges, type StoreQuery } from '../query.ts';
import { type Day, dayOf } from './days.ts';

/** The days that `dropped` and `moved` cover, as far as the plan reaches. */
export interface HistoryWindow {
  from: Day;
  /** The plan does not reach as far back as the request. */
  isTruncatedByPlan: boolean;
}

/** Returns undefined for a query without `dropped` and `moved`. A range without a beginning asks for everything. */
export function historyWindowOf(
  query: StoreQuery,
  { nowMs, historyDays }: { nowMs: number; historyDays: number },
): HistoryWindow | undefined {
  if (!asksForChanges(query)) return undefined;
  const from = dayOf(nowMs - historyDays * dayMs);
  const { dropped, moved } = query.where;
  const ranges = [...dropped, ...(moved ? [moved] : [])].map(({ effective }) => effective?.from ?? 0);
  return { from, isTruncatedByPlan: ranges.some((day) => day < from) };
}
