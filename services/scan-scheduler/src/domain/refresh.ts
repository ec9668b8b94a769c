import { dayMs, minuteMs } from '@shopscope/clock';

/** The policy by which profiles are refreshed without a request. */
export interface RefreshPolicy {
  /** The age from which a profile is stale. */
  afterMs: number;
  /** The maximum number of refreshes of all instances in a day (UTC). */
  perDay: number;
}
/** The maximum number of doublings. The longest age is eight times that of a domain whose scans succeed. */
const maxDoublings = 3;

/** Returns how much later the age of a profile begins because its latest scans failed. Each failure doubles the age. */
export function failurePauseMs({ afterMs }: RefreshPolicy, failures: number): number {
  return afterMs * (2 ** Math.min(failures, maxDoublings) - 1);
}

/** Returns the time between two refreshes at which the budget lasts for the whole day. */
export const refreshIntervalMs = ({ perDay }: Pick<RefreshPolicy, 'perDay'>): number => dayMs / perDay;

/** Returns how long unspent refreshes are kept: a minute, or the time for one refresh if that is longer. */
export const refreshBacklogMs = (policy: Pick<RefreshPolicy, 'perDay'>): number =>
  Math.max(minuteMs, Math.ceil(refreshIntervalMs(policy)) + 1);

/** Returns the day of an instant in UTC, such as 2026-11-23. Later days compare as greater. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
