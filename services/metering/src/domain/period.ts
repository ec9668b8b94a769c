import { type Period, periodAt } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';

/** A billing period of a workspace. */
export interface PeriodOf {
  workspaceId: string;
  periodStartMs: number;
}

/** Returns the name of the billing period that starts at `startMs`, e.g. `2027-03`. */
export function periodName(startMs: number): string {
  const start = new Date(startMs);
  return `${start.getUTCFullYear()}-${String(start.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** Whether the instant is the first one of a UTC month. */
export const isPeriodStart = (instantMs: number): boolean =>
  Number.isInteger(instantMs) && instantMs > 0 && instantMs < 8.64e15 && periodAt(instantMs).startMs === instantMs;

/** Returns the period of a request for usage, by default the current one. Throws `invalid_request` for a future period. */
export function requestedPeriod(nowMs: number, startMs: number | undefined): Period {
  const current = periodAt(nowMs);
  if (startMs === undefined) return current;
  if (startMs > current.startMs) throw invalidField('period_start_ms', 'must not be in the future');
  return periodAt(startMs);
}
