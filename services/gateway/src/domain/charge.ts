import { AppError } from '@shopscope/errors';
import type { Balance, ReserveResult, Units, UsageKind, UsageRecorded } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Billing } from './billing.ts';
import type { Budget } from './budget.ts';
import type { Caller } from './caller.ts';

/** What is to be billed, under which name and for whom. */
export interface ChargeRequest {
  chargeId: string;
  /** Hash of the request body; empty for charges that no Idempotency-Key names. */
  fingerprint: Buffer;
  units: Units;
  operation: string;
  caller: Caller;
  origin: Origin;
  budget: Budget;
  billing: Billing;
  /**
   * What the answer promises, made durable before the usage event; its failure bills nothing. `units` are those that the
   * charge bills: fewer than asked, perhaps, when an execution before this one settled it.
   */
  beforeCommit?: (units: Units) => Promise<void>;
}

/** The event that counts one attempt of a charge, or says that it does not count. */
export function usageEventOf(
  kind: UsageKind,
  request: ChargeRequest,
  reserved: ReserveResult,
  nowMs: number,
): UsageRecorded {
  return {
    kind,
    chargeId: request.chargeId,
    attempt: reserved.attempt,
    workspaceId: request.caller.workspaceId,
    keyId: request.caller.keyId,
    units: reserved.units ?? request.units,
    periodStartMs: reserved.periodStartMs,
    occurredAtMs: nowMs,
    operation: request.operation,
  };
}

export const bodyConflict = () =>
  new AppError('conflict', 'This Idempotency-Key was used with a different body; use a new key for a new body.');

export function exhausted({ exhaustedUnit, balance }: ReserveResult): AppError {
  const resetAt = new Date(balance?.periodEndMs ?? 0).toISOString();
  return new AppError('payment_required', `The allowance of ${exhaustedUnit} for this period is exhausted.`, {
    details: { reset_at: resetAt, unit: exhaustedUnit },
  });
}

/** lookup_cached units left beside those that are used or reserved. */
export function remainingOf(included: number, balance: Balance | undefined): number {
  const { taken, used, reserved } = balance ?? {};
  // An instance of metering that is yet to be updated tells the two and not their sum.
  const spent = taken?.lookupCached ?? (used?.lookupCached ?? 0) + (reserved?.lookupCached ?? 0);
  return Math.max(0, included - spent);
}
