import { type UnitKey, type Units, unitsOf } from '@shopscope/proto';
import type { Attempt } from './attempt.ts';
import { type Charge, idempotencyWindowMs } from './charge.ts';
import type { CounterDelta } from './fold.ts';
import { negate, subtract } from './units.ts';

/** A unit that returns to the period of its charge, because a job of the charge was canceled before it ran. */
export interface Refund {
  jobId: string;
  workspaceId: string;
  chargeId: string;
  unit: UnitKey;
  jobCreatedAtMs: number;
  canceledAtMs: number;
}

export const refundedUnits = ({ unit }: Pick<Refund, 'unit'>): Units => unitsOf({ [unit]: 1 });

/**
 * Whether the attempt may pay for the job. It may if it was opened within the window in which an Idempotency-Key names one charge.
 * Later attempts under this charge id belong to another charge, with other jobs.
 */
export const mayPayFor = ({ firstSeenMs }: Pick<Charge, 'firstSeenMs'>, { jobCreatedAtMs }: Refund): boolean =>
  firstSeenMs < jobCreatedAtMs + idempotencyWindowMs;

/** From this instant on, no further attempt can pay for the job, and every usage event has been read. */
export const refundEndsAtMs = ({ jobCreatedAtMs }: Refund): number => jobCreatedAtMs + 2 * idempotencyWindowMs;

/** Returns the attempt with the units that it still bills after its refunds. */
export const netOf = (attempt: Attempt, refunded: Units): Attempt =>
  attempt.state === 'counted'
    ? { ...attempt, used: subtract(attempt.used, refunded), taken: subtract(attempt.taken, refunded) }
    : attempt;

/** Returns the changes of the counters of workspace and key. The refund belongs to the day of its charge, as a reversal does. */
export function counterDeltas(attempt: Attempt, units: Units): CounterDelta[] {
  const { workspaceId, periodStartMs, keyId, dayStartMs } = attempt;
  const used = negate(units);
  const days = new Map(dayStartMs === undefined ? [] : [[dayStartMs, used]]);
  return [
    { workspaceId, periodStartMs, keyId: '', used, days: new Map() },
    { workspaceId, periodStartMs, keyId, used, days },
  ];
}
