import { dayMs } from '@shopscope/clock';

/** Whether the last completed scan of a profile is older than the plan's days. With 0 days, every profile is stale. */
export function isStale(lastCompletedScanAtMs: number, freshnessDays: number, nowMs: number): boolean {
  return freshnessDays === 0 || nowMs - lastCompletedScanAtMs > freshnessDays * dayMs;
}
