import { periodAt } from '@shopscope/clock';

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
