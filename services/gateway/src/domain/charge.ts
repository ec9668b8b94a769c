import type { Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import type { Balance, ReserveResult, Units, UsageKind, UsageRecorded } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Billing } from './billing.ts';
import type { Caller } from './caller.ts';
import { type UnitKey, unitKeyOf } from './units.ts';

/** What is to be billed, under which name and for whom. */
export interface ChargeRequest {
  chargeId: string;
  /** Hash of the request body; empty for charges that no Idempotency-Key names. */
  fingerprint: Buffer;
  units: Units;
  operation: string;
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
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

/**
 * The 402. It says how many units were needed and how many are left, so that a caller can tell whether a smaller request
 * would pass. `balance` is from the transaction that refused, so `left` is always smaller than what was needed.
 */
export function exhausted(
  { exhaustedUnit, balance }: ReserveResult,
  { units, caller }: Pick<ChargeRequest, 'units' | 'caller'>,
): AppError {
  const resetAt = new Date(balance?.periodEndMs ?? 0).toISOString();
  const key = unitKeyOf(exhaustedUnit);
  if (key === undefined) throw new Error(`metering refused for "${exhaustedUnit}", which is no billing unit`);
  const included = caller.plan.included[key];
  const left = included === 0 ? 'the plan includes none' : `${leftOf(included, key, balance)} until ${resetAt}`;
  return new AppError('payment_required', `This request needs ${amount(units[key])} ${exhaustedUnit}; ${left}.`, {
    details: { reset_at: resetAt, unit: exhaustedUnit },
  });
}

function leftOf(included: number, key: UnitKey, balance: Balance | undefined): string {
  const left = remainingOf(included, balance, key);
  return `${left === 0 ? 'none are' : left === 1 ? '1 is' : `${amount(left)} are`} left of ${amount(included)}`;
}

const amount = (count: number) => count.toLocaleString('en-US');

/** Units left of `included`, beside those that are used or reserved. */
export function remainingOf(included: number, balance: Balance | undefined, key: UnitKey = 'lookupCached'): number {
  const { taken, used, reserved } = balance ?? {};
  // An instance of metering that is yet to be updated tells the two and not their sum.
  const spent = taken?.[key] ?? (used?.[key] ?? 0) + (reserved?.[key] ?? 0);
  return Math.max(0, included - spent);
}
