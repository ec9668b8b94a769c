import { type Period, periodAt } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';

/** A period of a workspace. */
export interface PeriodOf {
  workspaceId: string;
  periodStartMs: number;
}

/** Name of the billing period that starts at `startMs`, e.g. `2027-03`. */
export function periodName(startMs: number): string {
  const start = new Date(startMs);
  return `${start.getUTCFullYear()}-${String(start.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** True for the first instant of a UTC month. */
export const isPeriodStart = (instantMs: number): boolean =>
  Number.isInteger(instantMs) && instantMs > 0 && instantMs < 8.64e15 && periodAt(instantMs).startMs === instantMs;

/** The period of a request for usage; by default the current one. A future period is refused. */
export function requestedPeriod(nowMs: number, startMs: number | undefined): Period {
  const current = periodAt(nowMs);
  if (startMs === undefined) return current;
  if (startMs > current.startMs) throw invalidField('period_start_ms', 'must not be in the future');
  return periodAt(startMs);
}
