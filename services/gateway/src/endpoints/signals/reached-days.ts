import type { Environment } from '@shopscope/environment';

/** Longer than any store of the test tenant has a past. */
const testHistoryDays = 1_825;

/**
 * Returns how many days back the caller sees. Every plan sees the whole test tenant: some of its stores have signals of about a month ago,
 * and a window that moves would lose some of them during the day.
 */
export const reachedDaysOf = ({
  keyEnvironment,
  plan,
}: {
  keyEnvironment: Environment;
  plan: { historyDays: number };
}): number => (keyEnvironment === 'test' ? Math.max(testHistoryDays, plan.historyDays) : plan.historyDays);
