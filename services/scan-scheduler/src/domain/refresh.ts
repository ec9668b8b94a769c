import { dayMs, minuteMs } from '@shopscope/clock';

/** When profiles are refreshed without a request. */
export interface RefreshPolicy {
  /** Age from which a profile is stale. */
  afterMs: number;
  /** Most refreshes of all instances in a day (UTC). */
  perDay: number;
}
/** The longest age is eight times that of a domain whose scans succeed. */
const maxDoublings = 3;

/** Time that the age of a profile begins later because its latest scans failed: the age doubles with each of them. */
export function failurePauseMs({ afterMs }: RefreshPolicy, failures: number): number {
  return afterMs * (2 ** Math.min(failures, maxDoublings) - 1);
}

/** Time between two refreshes, so that the budget lasts for the whole day. */
export const refreshIntervalMs = ({ perDay }: Pick<RefreshPolicy, 'perDay'>): number => dayMs / perDay;

/** Time for which unspent refreshes can be made later: a minute, and at least one refresh. */
export const refreshBacklogMs = (policy: Pick<RefreshPolicy, 'perDay'>): number =>
  Math.max(minuteMs, Math.ceil(refreshIntervalMs(policy)) + 1);

/** The day of an instant in UTC, such as 2026-11-23. Later days are greater. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
