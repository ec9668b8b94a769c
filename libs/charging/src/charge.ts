import type { Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import type { Balance, ReserveResult, UnitKey, Units, UsageKind, UsageRecorded } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { Payer } from './caller-request.ts';
import type { LeasedCharge } from './lease.ts';
import type { RequestBilling } from './request-billing.ts';
import { unitKeyOf } from './units.ts';

/** A request to bill units under a charge id. */
export interface ChargeRequest {
  chargeId: string;
  /** Hash of the request body. Empty for a charge without an Idempotency-Key. */
  fingerprint: Buffer;
  /**
   * Whether the id names one charge for as long as metering has its record, and not only for the 24 hours of an Idempotency-Key. Needs a
   * fingerprint.
   */
  isPermanent?: boolean | undefined;
  units: Units;
  /** The id of the operation, for the ledger. */
  operation: string;
  caller: Payer;
  origin: Origin;
  deadline: Deadline;
  billing: RequestBilling;
  /** Called when the units are reserved for this execution, or when an earlier execution has settled the charge. */
  onReserved?: () => void;
  /**
   * Makes durable what the response promises. It is the first step of the commit. If it fails, nothing is billed.
   * `units` are the billed units. They can differ from the requested ones if an earlier execution settled the charge.
   * `attempt` is the attempt of the charge that bills them. At most one attempt of a charge counts.
   * `deadline` is not cancelled when the caller disconnects.
   */
  beforeEvent?: (units: Units, deadline: Deadline, attempt: ChargeAttempt) => Promise<void>;
}

/** An attempt to bill a charge. */
export interface ChargeAttempt {
  number: number;
  /** Whether an earlier execution has settled it. */
  isSettled: boolean;
}

/** The fingerprint of a charge without an Idempotency-Key. */
export const noFingerprint = Buffer.alloc(0);

/** Returns the usage event that bills or voids one attempt of a charge. */
export function usageEventOf(
  kind: UsageKind,
  request: ChargeRequest,
  reserved: ReserveResult & { leased?: LeasedCharge },
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
    leaseId: reserved.leased?.leaseId,
  };
}

export const bodyConflict = () =>
  new AppError('conflict', 'This Idempotency-Key was used with a different body; use a new key for a new body.');

/** Nothing is reserved, because units of the allowance are lent to gateways. Some of them will return. */
export class AllowanceLentError extends AppError {
  constructor(retryAfterS: number) {
    super('unavailable', 'Other requests hold the rest of the allowance; retry in a few seconds.', {
      details: { retry_after: retryAfterS },
      fault: 'limit',
    });
  }
}

/**
 * The error 402. Its message has the needed and the remaining units, so that a caller knows whether a smaller request
 * would succeed. `balance` is from the transaction that refused the units. Fewer units are therefore always left than needed.
 */
export function allowanceExhausted(
  { exhaustedUnit, balance }: Pick<ReserveResult, 'exhaustedUnit' | 'balance'>,
  { units, caller }: Pick<ChargeRequest, 'units' | 'caller'>,
): AppError {
  const resetAt = new Date(balance?.periodEndMs ?? 0).toISOString();
  const key = unitKeyOf(exhaustedUnit);
  if (key === undefined) throw new Error(`metering refused for "${exhaustedUnit}", which is no billing unit`);
  const included = caller.plan.included[key];
  const left = included === 0 ? 'the plan includes none' : `${leftOf(included, key, balance)} until ${resetAt}`;
  const details: Record<string, string | number> = { reset_at: resetAt, unit: exhaustedUnit };
  // The header X-Usage-Remaining has the units that the message has.
  if (key === 'lookupCached') details.usage_remaining = remainingUnits(included, balance);
  return new AppError('payment_required', `This request needs ${amount(units[key])} ${exhaustedUnit}; ${left}.`, {
    details,
  });
}

function leftOf(included: number, key: UnitKey, balance: Balance | undefined): string {
  const left = remainingUnits(included, balance, key);
  return `${left === 0 ? 'none are' : left === 1 ? '1 is' : `${amount(left)} are`} left of ${amount(included)}`;
}

const amount = (count: number) => count.toLocaleString('en-US');

/** Returns `included` minus the used and reserved units, and at least 0. */
export function remainingUnits(included: number, balance: Balance | undefined, key: UnitKey = 'lookupCached'): number {
  return Math.max(0, included - (balance?.taken?.[key] ?? 0));
}
